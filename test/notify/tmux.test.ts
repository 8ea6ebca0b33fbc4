import { existsSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { messageText } from '../../src/notify/tmux.ts';
import { closeTerminals, startTerminal } from '../support/terminal.ts';
import { killTmuxServers, startTmux, type Tmux } from '../support/tmux.ts';
import { waitFor } from '../support/waiting.ts';
import { alarm, hastyClock, hostile, notifierOf } from './made.ts';

afterEach(async () => {
  await closeTerminals();
  await killTmuxServers();
});

/** As a program in its pane has it. */
async function environmentIn(tmux: Tmux): Promise<NodeJS.ProcessEnv> {
  const [socket, pid, session, pane] = (await tmux.format('#{socket_path} #{pid} #{session_id} #{pane_id}')).split(' ');
  return { PATH: process.env.PATH, TMUX: `${socket},${pid},${session?.slice(1)}`, TMUX_PANE: pane };
}

const socketOf = ({ TMUX = '' }: NodeJS.ProcessEnv) => TMUX.split(',')[0] ?? '';

describe('tmux', () => {
  it('shows a message to who is there, whatever its text, and runs nothing of it', async () => {
    const tmux = await startTmux({ command: ['cat'] });
    await tmux.command('set-option', '-g', 'status', 'on');
    const env = await environmentIn(tmux);
    const client = startTerminal({
      ...{ command: ['tmux', '-u', '-S', socketOf(env), 'attach'], cols: 120, rows: 10 },
    });
    await waitFor('the client', async () => (await tmux.command('list-clients')) !== '');
    const cwd = await tmux.format('#{pane_current_path}');
    const before = readdirSync(cwd);
    const { notifier, told } = notifierOf({ tmux: true }, { clock: hastyClock, env });
    for (const [i, text] of hostile.entries()) {
      notifier.tell(alarm({ text: `${i}| ${text}` }));
      await client.waitFor(`traintop: CRITICAL on gpu8: ${i}|`);
    }
    notifier.tell(alarm({ text: '100 % of #5 at ###;' }));
    await client.waitFor('100 % of #5 at # # #;');
    expect(told).toEqual([]);
    // All that tmux has run was this; #( ) is run as a job a moment later.
    await tmux.command('run-shell', 'true');
    expect(readdirSync(cwd)).toEqual(before);
    expect(existsSync('pwned')).toBe(false);
    await notifier.close();
  });

  it('sets the flag of the window by the bell of the pane, without a screen', async () => {
    const tmux = await startTmux({ command: ['cat'] });
    const env = await environmentIn(tmux);
    await tmux.command('new-window', 'cat');
    const options = await tmux.command('show-options', '-g');
    const { notifier, told } = notifierOf({ tmux: true }, { clock: hastyClock, env });
    notifier.tell(alarm({ severity: 'info' }));
    notifier.tell(alarm());
    const flags = () => tmux.command('list-windows', '-F', '#{window_index}#{window_bell_flag}');
    await waitFor('the flag', async () => (await flags()) === '01\n10\n');
    await notifier.close();
    expect(told).toEqual([]);
    expect(await tmux.command('show-options', '-g')).toBe(options);
  });

  it('that is gone is told of, once', async () => {
    const { notifier, told } = notifierOf(
      { tmux: true },
      { clock: hastyClock, env: { PATH: process.env.PATH, TMUX: '/nowhere,1,0' } },
    );
    notifier.tell(alarm());
    await waitFor('the fault', () => told.length > 0);
    notifier.tell(alarm());
    await notifier.close();
    expect(told).toEqual([expect.stringMatching(/^tmux was not told of an alarm: .*\/nowhere/)]);
  });

  it('has each # doubled, and what opens a format parted', () => {
    expect(messageText('#(a) ##{b} #[c] # %H')).toBe('## (a) ## ## {b} ## [c] ## %%H');
    expect(messageText('a;')).toBe('a\\;');
  });
});
