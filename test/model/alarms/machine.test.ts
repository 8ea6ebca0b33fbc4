import { expect, test } from 'vitest';
import { createMachine, type Look, type Standing } from '../../../src/model/alarms/machine.ts';

const rule = { forMs: 3000, clearForMs: 2000, coolDownMs: 20_000 };

/** One look a second: `b`eyond, `=` between, `.` over, `?` unknown, `_` we slept for a minute; what came of each. */
function play(looks: string, more: Partial<Look> = {}): string {
  const machine = createMachine();
  let now = 100_000;
  const words: Readonly<Record<string, Standing>> = { b: 'beyond', '=': 'between', '.': 'over', '?': 'unknown' };
  let awakeSince = 0;
  return [...looks]
    .map((each) => {
      now += each === '_' ? 60_000 : 1000;
      if (each === '_') awakeSince = now;
      const change = machine.look({ now, awakeSince, rule, is: words[each] ?? 'beyond', ...more });
      return change === 'rings' ? 'R' : change === 'resolved' ? 'o' : '-';
    })
    .join('');
}

test.each([
  ['it rings when it has lasted, once', 'bbbbbb', '---R--'],
  ['what is over before it has lasted does not ring', 'bbb.bbb', '-------'],
  ['nor does what is between', 'bbb=bbb', '-------'],
  ['it is over when that has lasted', 'bbbb...', '---R--o'],
  ['between the borders it rings on', 'bbbb=.=..=...', '---R--------o'],
  ['it does not ring again before it has cooled down', 'bbbb...bbbbbbbbbbbbbbbbbbb', '---R--o----------------R--'],
  ['what nobody saw does not last', 'bb??????bbb', '---------R-'],
  ['nor does it end so', 'bbbb.????.', '---R------'],
  ['nor while we slept', 'bb_bb', '----R'],
])('%s', (_, looks, changes) => {
  expect(play(looks)).toBe(changes);
});

test('what is known to last longer rings sooner, but not for the time before we were awake', () => {
  expect(play('b', { since: 0 })).toBe('R');
  expect(play('bbbb', { since: 0, awakeSince: 100_500 })).toBe('---R');
});

test('what another one tells waits until that is over', () => {
  expect(play('bbbbbbbb', { isTold: true })).toBe('--------');
});

test('a clock that is set back makes nothing ring, and nothing last for ever', () => {
  const machine = createMachine();
  const look = (now: number, is: Standing) => machine.look({ now, is, awakeSince: 0, rule });
  expect([look(100_000, 'beyond'), look(5000, 'beyond'), look(7000, 'beyond')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(look(8000, 'beyond')).toBe('rings');
  look(9000, 'over');
  look(1000, 'over');
  expect(look(3000, 'over')).toBe('resolved');
});
