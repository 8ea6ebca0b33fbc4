import { describe, expect, it } from 'vitest';
import { readExtents as read } from './extents.ts';

describe('a traceback', () => {
  const traceback = ['Traceback (most recent call last):', '  File "/w/train.py", line 210, in <module>', '    main()'];

  it('is a record that knows its exception, whose line is one too', async () => {
    const { records, extents: lines } = await read(
      [...traceback, 'ValueError: step 3 loss 4', 'step 5 loss 2'].join('\n'),
    );
    expect(lines).toEqual([
      [1, 3],
      [4, 1],
      [5, 1],
    ]);
    expect(records.map(({ event, level, values }) => [event?.kind, level, values?.step])).toEqual([
      ['traceback', 'error', undefined],
      ['exception', 'error', undefined],
      [undefined, undefined, 5],
    ]);
    expect(records[0]?.event?.details).toMatchObject({ exception: 'ValueError', lines: 3 });
  });

  it('is one behind marks of ranks, and those of two ranks are two', async () => {
    const [begin = '', file, main] = traceback;
    const { records } = await read(
      [
        `[rank0]: ${begin}`,
        `[rank0]: ${file}`,
        `[rank1]: ${begin}`,
        `[rank0]: ${main}`,
        `[rank1]: ${file}`,
        '[rank0]: RuntimeError: NCCL error',
        '[rank1]:   step 5 loss 3',
        '[rank1]: RuntimeError: NCCL error',
        '[rank1]: 	more of it: step 6 loss 3',
      ].join('\n'),
    );
    expect(records.map(({ rank, event }) => [rank, event?.kind])).toEqual([
      [0, 'traceback'],
      [1, 'traceback'],
      [0, undefined],
      [1, undefined],
      [0, 'exception'],
      [1, undefined],
      [1, 'exception'],
    ]);
    expect(records.every(({ values }) => values === undefined)).toBe(true);
  });

  it('ends at a line of the log, also where an exception has no message', async () => {
    const { extents: lines } = await read([...traceback, 'KeyboardInterrupt', 'step 5 loss 2'].join('\n'));
    expect(lines).toEqual([
      [1, 3],
      [4, 1],
      [5, 1],
    ]);
  });

  it('goes on with the lines of its exception', async () => {
    const { extents: lines, values } = await read(
      [
        ...traceback,
        'RuntimeError: Error(s) in loading state_dict:',
        '\tsize mismatch for step: 3',
        '\tlr: 4',
        'step 5 loss 2',
      ].join('\n'),
    );
    expect(lines).toEqual([
      [1, 3],
      [4, 3],
      [7, 1],
    ]);
    expect(values[1]).toBeUndefined();
  });
});

it('joins what the kernel says of a lost GPU, and stacks of faulthandler and C++', async () => {
  const { extents: lines, records } = await read(
    [
      'NVRM: The NVIDIA GPU 0000:b3:00.0',
      'NVRM: (PCI ID: 10de:26b5) installed in this system has',
      'NVRM: fallen off the bus and is not responding to commands.',
      'Current thread 0x00007f030507eb80 (most recent call first):',
      '  File "/w/train.py", line 6 in train_step',
      'Exception raised from checkTimeout at ../ProcessGroupNCCL.cpp:565 (most recent call first):',
      'frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x57',
      'frame #1: <unknown function> + 0xdc253',
    ].join('\n'),
  );
  expect(lines).toEqual([
    [1, 3],
    [4, 2],
    [6, 3],
  ]);
  expect(records.map(({ event }) => event?.kind)).toEqual(['gpu_lost', undefined, undefined]);
});
