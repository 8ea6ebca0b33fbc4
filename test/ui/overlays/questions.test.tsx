import { describe, expect, test } from 'vitest';
import { createQuestions } from '../../../src/ui/overlays/questions.ts';
import { show } from '../shown.tsx';

test('a question is asked before everything else, once', async () => {
  const questions = createQuestions();
  const shown = show({ controls: { questions } });
  const answer = questions.ask({ title: 'Unknown host', lines: ['SHA256:abc'], yes: 'It is added to known_hosts.' });
  await shown.see('SHA256:abc');
  await shown.see(/│ y {2}It is added to known_hosts\. +│\n│ n {2}No, do nothing of that\. +│/);
  await shown.keys('x', 'y');
  expect(await answer).toBe(true);
  await shown.see('¹GPUs');
});

describe('a log-in that asks', () => {
  const fields = [
    { label: 'Password', hidden: true },
    { label: 'Which device', hidden: false },
  ];

  test('takes keys as text; what is hidden is never drawn', async () => {
    const questions = createQuestions();
    const shown = show({ controls: { questions } });
    const answer = questions.askForm({ title: 'Log in', lines: ['It says hello.'], fields });
    await shown.see('It says hello.');
    expect(shown.text()).not.toContain('typed, not shown');
    await shown.keys('q', '?secret', '\x7f', 'T');
    await shown.see('Password: (typed, not shown)');
    await shown.keys('\r', 'phone1\x15phoney', '\x7f');
    await shown.see(/Which device: phone +│/);
    await shown.keys('\x1b[Z', 'ö', '\t', '\rq');
    expect(await answer).toEqual(['q?secreTö', 'phone']);
    await shown.see('¹GPUs');
    await shown.keys('p');
    await shown.see('PAUSED');
    expect(shown.everything()).not.toMatch(/secre/);
  });

  test('that is withdrawn stays until a key says so: the rest of a password is no key', async () => {
    const questions = createQuestions();
    const shown = show({ controls: { questions } });
    const gone = new AbortController();
    const answer = questions.askForm({ title: 'Log in', lines: [], fields }, gone.signal);
    const behind = questions.askForm({ title: 'Behind', lines: [], fields }, gone.signal);
    await shown.keys('sec');
    gone.abort();
    expect(await Promise.all([answer, behind])).toEqual([undefined, undefined]);
    await shown.see('It is no longer asked');
    await shown.keys('q');
    await shown.see('It is no longer asked');
    await shown.keys('\r');
    await shown.see('¹GPUs');
    await shown.keys('p');
    await shown.see('PAUSED');
  });

  test('fits into a small pane: the end of what a host says, and the field', async () => {
    const questions = createQuestions();
    const shown = show({ controls: { questions }, size: '60x12' });
    const label = 'A label of a host that has more to say than fits beside what is typed';
    const lines = Array.from({ length: 30 }, (_, i) => `${i}. choice`);
    void questions.askForm({ title: 'Log in', lines, fields: [{ label, hidden: false }] });
    await shown.see('29. choice');
    await shown.keys('x'.repeat(70), 'the end');
    await shown.see(/A label of a host.*\n│ what is typed: +│\n│ {3}x+the end +│/);
  });

  test('or only wants to know whether to go on', async () => {
    const questions = createQuestions();
    const shown = show({ controls: { questions } });
    const agreed = questions.askForm({ title: 'Log in again?', lines: [], fields: [] });
    await shown.see(/Enter {2}Yes\./);
    await shown.keys('x', '\r');
    expect(await agreed).toEqual([]);
    const declined = questions.askForm({ title: 'Log in again?', lines: [], fields: [] });
    await shown.keys('\x1b');
    expect(await declined).toBeUndefined();
  });
});
