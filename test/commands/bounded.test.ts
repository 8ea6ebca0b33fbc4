import { expect, it } from 'vitest';
import { bounded } from '../../src/commands/bounded.ts';
import { createRoleRules } from '../../src/model/roles/rules.ts';
import type { StacksSample } from '../../src/model/samples.ts';

it('a rule that would take for ever is left out, and the others go on', () => {
  const name = `${'a'.repeat(60)}!`;
  const dump: StacksSample = {
    ...{ kind: 'stacks', host: 'h', source: 'stacks', time: 1, receivedAt: 1, pid: 10, command: '' },
    threads: [{ tid: 11, name, active: false, ownsGil: false, frames: [] }],
  };
  const rules = createRoleRules(
    [
      { role: 'hangs', name: /^(a+)+$/ },
      { role: 'fits', name: /^a/ },
    ],
    bounded,
  );
  expect(rules.find(dump)).toMatchObject([{ tid: [11], rule: ['fits'] }]);
  expect(rules.counts()).toMatchObject([{ threads: 0, isLeftOut: true }, { threads: 1 }]);
  expect(() => bounded(() => expect.fail('an error of the work is one'))).toThrow('an error of the work is one');
});
