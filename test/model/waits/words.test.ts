import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callName, fileCallNumbers, machineOf } from '../../../src/model/waits/calls.ts';
import { lackSentences } from '../../../src/model/waits/lacks.ts';
import { waitWord } from '../../../src/model/waits/wait-word.ts';
import { longWait, shortWait, shortWaitTime, waitTime } from '../../../src/model/waits/words.ts';

describe('calls', () => {
  it('have the numbers of their machine', () => {
    const numbers = [0, 7, 16, 61, 202, 219, 230, 232, 270, 281, 441, 449].map((n) => callName('x86_64', n));
    expect(numbers.join(' ')).toBe(
      'read poll ioctl wait4 futex restart_syscall clock_nanosleep epoll_wait pselect6 epoll_pwait epoll_pwait2 futex_waitv',
    );
    const arm = [22, 29, 63, 72, 73, 95, 98, 115, 128, 220, 260].map((n) => callName('aarch64', n));
    expect(arm.join(' ')).toBe(
      'epoll_pwait ioctl read pselect6 ppoll waitid futex clock_nanosleep restart_syscall clone wait4',
    );
    for (const odd of [-1, 1e9, 380]) expect(callName('x86_64', odd)).toBeUndefined();
    expect(fileCallNumbers('x86_64')).toEqual(expect.arrayContaining([0, 1, 16, 45, 74, 232, 426]));
    expect(fileCallNumbers('x86_64')).not.toContain(202);
    expect(machineOf('arm64')).toBe('aarch64');
    expect(machineOf('riscv64')).toBeUndefined();
  });
});

describe('words', () => {
  it('go by the call, and by the function of the kernel where the call says nothing', () => {
    expect(waitWord('futex', 'futex_do_wait')).toBe('futex');
    // As CUDA's thread was found on a real host: its poll had been interrupted and goes on.
    expect(waitWord('restart_syscall', 'poll_schedule_timeout.constprop.0')).toBe('poll');
    expect(waitWord(undefined, 'futex_wait_queue_me')).toBe('futex');
    expect(waitWord(undefined, 'rpc_wait_bit_killable')).toBe('file');
    expect(waitWord(undefined, 'something_new')).toBeUndefined();
    expect(waitWord('getpid', undefined)).toBeUndefined();
  });

  it.each([
    [{ state: 'S', call: 'ioctl', file: '/dev/nvidia0' }, 'ioctl nvidia0', 'ioctl on /dev/nvidia0'],
    [{ state: 'S', call: 'futex', others: 7 }, 'futex', 'futex wait with 7 other threads'],
    [{ state: 'S', call: 'poll', operand: 1 }, 'poll', 'poll on 1 descriptor'],
    [{ state: 'S', call: 'epoll_wait', file: 'anon_inode:[eventpoll]' }, 'poll', 'epoll_wait on [eventpoll]'],
    [{ state: 'S', call: 'read', file: 'pipe:[7]' }, 'read pipe', 'read on a pipe'],
    [{ state: 'S', call: 'recvfrom', file: 'socket:[7]' }, 'network', 'recvfrom on a socket'],
    [{ state: 'S', call: 'wait4' }, 'child', 'waits for a child'],
    [{ state: 'S', call: 'call 470', where: 'new_thing' }, 'new_thing', 'call 470'],
    [{ state: 'S', where: 'hrtimer_nanosleep' }, 'sleep', 'sleep'],
    [
      { state: 'D', call: 'read', file: '/x/a.bin', where: 'folio_wait_bit_common' },
      'D folio_wait_bit_common',
      'D in folio_wait_bit_common (read on /x/a.bin)',
    ],
    [{ state: 'D' }, 'D', 'D'],
    [{ state: 'T', call: 'futex' }, 'stopped', 'stopped'],
    [{ state: 'R', seconds: 12 }, 'a core', 'waits for a core'],
    [{ state: 'R' }, undefined, undefined],
    [{ state: 'Z' }, undefined, undefined],
    [{ state: 'S' }, undefined, undefined],
  ])('%j', (wait, short, long) => {
    expect(shortWait(wait)).toBe(short);
    expect(longWait(wait)).toBe(long);
  });

  it('never say a longer time than was seen', () => {
    expect(waitTime({})).toBeUndefined();
    expect([3.2, 12.4, 119, 240, 9000].map((seconds) => waitTime({ seconds }))).toEqual([
      '3.2 s',
      '12 s',
      '119 s',
      '4 min',
      '2.5 h',
    ]);
    expect(waitTime({ seconds: 12, orLonger: true })).toBe('12 s or longer');
    expect([shortWaitTime({ seconds: 12, orLonger: true }), shortWaitTime({ seconds: 240 })]).toEqual(['>12s', '4m']);
  });
});

describe('what may not be read', () => {
  it('is said with what would help', () => {
    expect(lackSentences({})).toEqual([]);
    expect(lackSentences({ call: 'refused' }, { user: 'ann', uid: 1000, ptraceScope: 1 })[0]).toBe(
      'the current call of threads may not be read: kernel.yama.ptrace_scope is 1, so even its own user needs CAP_SYS_PTRACE',
    );
    expect(lackSentences({ call: 'refused' }, { user: 'ann', uid: 1000, ptraceScope: 0 })[0]).toMatch(/ann needs CAP/);
    expect(lackSentences({ call: 'refused' }, { uid: 0 })[0]).toMatch(/the container or a security module/);
    expect(lackSentences({ call: 'missing', where: 'hidden', stack: 'refused', runs: 'uncounted' })).toHaveLength(4);
  });
});

describe('a captured host with GPUs', () => {
  const files = ['alloc_churn', 'compute_bound', 'gil_bound', 'input_starved_inline', 'launch_bound'];
  const rows = files.flatMap((name) =>
    readFileSync(new URL(`../../fixtures/waits/h200-${name}.txt`, import.meta.url), 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, comm, where, call] = /^\d+ (.+) (\S+) (\d+|running)(?: 0x\S+)?$/.exec(line) ?? [];
        return comm === undefined
          ? []
          : [{ comm, where, call: call === 'running' ? undefined : callName('x86_64', Number(call)) }];
      }),
  );

  it('has a word for every thread that sleeps', () => {
    const asleep = rows.filter(({ call }) => call !== undefined);
    expect(asleep.length).toBeGreaterThan(100);
    expect(asleep.filter(({ call, where }) => waitWord(call, where) === undefined)).toEqual([]);
    const of = (comm: RegExp) =>
      new Set(asleep.filter((row) => comm.test(row.comm)).map(({ call, where }) => waitWord(call, where)));
    expect(of(/^cuda/)).toEqual(new Set(['poll']));
    expect(of(/^pt_autograd/)).toEqual(new Set(['futex']));
  });
});
