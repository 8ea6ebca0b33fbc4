import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startAskingServer } from '../../support/asking-server.ts';
import { askedTransport, type Answer } from './asked-login.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Starts the server and a transport to it. */
async function start(server: Parameters<typeof startAskingServer>[0], answers: readonly Answer[]) {
  const asking = await startAskingServer(server);
  const folder = mkdtempSync(join(tmpdir(), 'traintop-asking-'));
  const knownHostsFile = join(folder, 'known_hosts');
  writeFileSync(knownHostsFile, `${asking.hostKeyLine}\n`);
  const asked = askedTransport({ port: asking.port, user: 'me', knownHostsFile, answers });
  stops.push(() => rmSync(folder, { recursive: true }), asking.stop, asked.close);
  return { asking, asked };
}

test('several prompts in a round, and a round with none', async () => {
  const rounds = [
    { prompts: [{ prompt: 'Which device: ', echo: true }, { prompt: 'Code:' }, { prompt: '' }] },
    { instructions: 'A push was sent.', prompts: [] },
    {
      name: 'Again',
      instructions: 'One more\nword.',
      prompts: [{ prompt: '\r\n 1. yes\r\n 2. no\r\n\r\nYour choice: ' }],
    },
  ];
  const { asking, asked } = await start({ round: (n) => rounds[n] }, [['phone', '123', ''], ['1']]);
  expect(await asked.connect()).toBeUndefined();
  expect(asking.answers).toEqual([['phone', '123', ''], [], ['1']]);
  expect(asked.questions).toMatchObject([
    {
      fields: [
        { label: 'Which device', hidden: false },
        { label: 'Code', hidden: true },
        { label: 'Answer', hidden: true },
      ],
    },
    { lines: ['Again', 'One more', 'word.', '1. yes', '2. no'], fields: [{ label: 'Your choice', hidden: true }] },
  ]);
});

test('what a host says is made safe, and short enough to be shown', async () => {
  const round = {
    name: '\x1b]0;owned\x07Passphrase of ~/.ssh/id_rsa',
    instructions: 'x'.repeat(20_000) + '\n'.repeat(1000) + 'line\n'.repeat(500),
    prompts: [{ prompt: `\x1b[2J\u202e${'y'.repeat(5000)}: ` }],
  };
  const { asked } = await start({ round: (n) => (n === 0 ? round : undefined) }, [['1']]);
  expect(await asked.connect()).toBeUndefined();
  const [question] = asked.questions;
  expect(question?.title).toMatch(/^me@127\.0\.0\.1:\d+ asks, to log in$/);
  expect(question?.lines.length).toBeLessThanOrEqual(20);
  const all = [...(question?.lines ?? []), ...(question?.fields ?? []).map(({ label }) => label)];
  expect(all.join('')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e]/);
  for (const text of all) expect(text.length).toBeLessThanOrEqual(200);
});

test('a host that asks for too much at once is left', async () => {
  const prompts = Array.from({ length: 11 }, (_, i) => ({ prompt: `${i}` }));
  const { asked } = await start({ round: () => ({ prompts }) }, []);
  expect(await asked.connect()).toMatch(/^me@\S+ asks for 11 answers at once to log in, .*: traintop gave up\.$/);
});

test('a host that wants a new password is told of', async () => {
  const { asked } = await start({ wantsNewPassword: true }, [['old']]);
  expect(await asked.connect()).toMatch(
    /^me@\S+ wants a new password before it lets you in, .*log in once with ssh\.$/,
  );
});
