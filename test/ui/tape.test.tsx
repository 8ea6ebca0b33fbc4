import { beforeAll, describe, expect, test } from 'vitest';
import stringWidth from 'string-width';
import { base, start } from './made-store.ts';
import { event, hour, makeTape, mark, type MadeTape } from './made-tape.ts';
import { show, type Shown } from './shown.tsx';

beforeAll(() => void (process.env['TZ'] = 'UTC'));

const events = [
  event(start + 600_000, 'run started', 'The run of PID 4021 is watched.'),
  mark(start + 0.9 * hour, 'looks odd'),
  event(start + 1.2 * hour, 'link lost', 'no answer for 14 s'),
];

function replayed(size = '120x40', change: Parameters<typeof show>[0] = {}): Shown & { readonly tape: MadeTape } {
  const tape = makeTape({ events });
  return { ...show({ size, ...change, controls: { tape, ...change.controls } }), tape };
}

const rows = (shown: Shown) => shown.text().split('\n');

describe.each(['40x10', '60x24', '80x24', '120x40', '200x60'])('a recording at %s', (size) => {
  test('is never taken for a live run, and fills the screen', () => {
    const shown = replayed(size);
    const [columns = 0, height = 0] = size.split('x').map(Number);
    expect(rows(shown)[0]).toMatch(/^ traintop {2}REPLAY /);
    expect(rows(shown)).toHaveLength(height);
    for (const row of rows(shown)) expect(stringWidth(row)).toBeLessThanOrEqual(columns);
    expect(rows(shown).at(-1)).toMatch(/^ q quit {2}Space play/);
  });

  test('has the same panels as the live screen of as many rows less', () => {
    const tapeRows = Number(size.split('x')[1]) < 30 ? 1 : 2;
    const live = show({ size });
    const [columns, height = 0] = size.split('x').map(Number);
    const body = (shown: Shown, below: number) => {
      const all = rows(shown).slice(0, -1 - below);
      return all.slice(all.findIndex((row) => row.includes('╭─')));
    };
    const shown = replayed(`${columns}x${height + tapeRows}`);
    if (height >= 30 || height + tapeRows < 30) expect(body(shown, tapeRows)).toEqual(body(live, 0));
  });
});

test('the tape row of an ASCII terminal without colours has only ASCII, and nothing by colour alone', () => {
  const shown = replayed('120x40', { environment: { NO_COLOR: '1', TRAINTOP_ASCII: '1' } });
  expect(rows(shown).at(-2)).toMatch(/^ 14:03 \+\*-+\+-+#-+\^-+\+ 16:03 *$/);
  expect(shown.text()).not.toMatch(/[^\x20-\x7e\n]/);
});

test('a recording of the demo and an imported one are said to be so', () => {
  expect(rows(replayed('120x40', { controls: { demo: true } }))[0]).toMatch(/REPLAY {2}DEMO /);
  expect(rows(replayed('120x40', { controls: { imported: true } }))[0]).toMatch(/REPLAY {2}IMPORTED /);
});

describe('keys of a recording', () => {
  test('Space and p play it and let it stand', async () => {
    const shown = replayed();
    await shown.keys(' ');
    await shown.see(/^ ▸ {2}2026/m);
    expect(rows(shown).at(-1)).toMatch(/^ q quit {2}Space pause {2}.*E events/);
    await shown.keys('p');
    await shown.see(/^ ┃┃ 2026/m);
    expect(shown.text()).not.toContain('PAUSED');
  });

  test('steps, minutes and ends', async () => {
    const shown = replayed();
    await shown.keys('\x1b[C', '\x1b[D', '\x1b[1;2C', '.', '\x1b[1;2D', ',', '$', '0');
    await expect.poll(() => shown.tape.asked).toHaveLength(8);
    expect(shown.tape.asked.join(', ')).toBe('step 1, step -1, seek 60, seek 120, seek 60, seek 0, seek 7200, seek 0');
  });

  test('a step after a seek that is under way goes on from there', async () => {
    const shown = replayed();
    shown.tape.change({ seeking: start + 600_000 });
    await shown.keys('.');
    await expect.poll(() => shown.tape.asked).toEqual(['seek 660']);
  });

  test('the speed goes from a quarter to 64, and says so at its ends', async () => {
    const shown = replayed();
    await shown.keys('>');
    await shown.see(/ 2x /);
    await shown.keys('>>>>>>');
    await shown.see('64x is the fastest.');
    await shown.keys('<<<<<<<<<');
    await shown.see('0.25x is the slowest.');
    await shown.see(/ 0\.25x /);
  });

  test('events and marks one by one, in words', async () => {
    const shown = replayed('80x24');
    await shown.keys(']');
    await shown.see('┴ 14:13:20 run started: The run of PID 4021 is watched.');
    await shown.keys(']]]');
    await shown.see('There is no event after this one.');
    expect(shown.tape.state().position).toBe(start + 1.2 * hour);
    await shown.keys('[');
    await shown.see('■ 14:57:20 mark: looks odd');
  });

  test.each(['0', '$', 'Left', '.'])('what was said of an event goes when %s leaves it', async (key) => {
    const shown = replayed('80x24');
    await shown.keys(']]');
    await shown.see(/^ ■ 14:57:20 mark: looks odd *$/m);
    await shown.keys(key === 'Left' ? '\x1b[D' : key);
    await shown.see(/^ q quit {2}Space play/m);
  });

  test('a loop is seen', async () => {
    const shown = replayed();
    await shown.keys('O');
    await shown.see(/ loop /);
    await shown.see(/ 14:03 ◂/);
    await shown.keys('O');
    await shown.see(/ 14:03 ├/);
  });

  test('T asks for a time until it is one', async () => {
    const shown = replayed();
    await shown.keys('T', '25:99', '\r');
    await shown.see(/"25:99" is no time/);
    await shown.keys('\x15', '15:33:20');
    await shown.see(/Time: 15:33:20/);
    expect(shown.text()).not.toContain('is no time');
    await shown.keys('\r');
    await expect.poll(() => shown.tape.asked).toEqual(['seek 5400']);
    await shown.see('¹GPUs');
    await shown.keys('T', '-1h\r');
    await expect.poll(() => shown.tape.asked).toEqual(['seek 5400', 'seek 1800']);
    await shown.keys('T', '\x1b');
    await shown.see('¹GPUs');
  });

  test('E lists them, Enter goes to one', async () => {
    const shown = replayed('80x24');
    await shown.keys(']', 'E');
    await shown.see(/▸ {2}14:13:20 {2}┴ {2}run started +The run of PID 4021 is watched\./);
    await shown.keys('j', 'j', 'k', '\r');
    await shown.see('¹GPUs');
    expect(shown.tape.asked.at(-1)).toBe(`seek ${0.9 * 3600}`);
  });

  test.each(['d', '!', 'c', 'R', '+', '-', 'M'])('%s says that there is no host', async (key) => {
    const shown = replayed();
    await shown.keys(key);
    await shown.see('This is a recording');
    expect(shown.controls.asked).toEqual([]);
  });

  test('S shows what was taken up to this moment', async () => {
    const shown = replayed();
    await shown.keys('S');
    await shown.see('No stacks had been taken by this moment.');
  });

  test('no picker comes by itself', async () => {
    const shown = replayed();
    const { store, clock } = shown.controls;
    store.push({ ...base('run', clock.now()), kind: 'run', phase: 'choosing', candidates: [] });
    clock.advance(1000);
    await shown.see('several training runs');
    expect(shown.text()).not.toContain('Which one is it?');
    await shown.keys(' ');
    await shown.see(/^ ▸ {2}2026/m);
  });

  test('what could not be read of it is said', async () => {
    const shown = replayed();
    shown.tape.change({ fault: '12 lines of part 3 are broken; they are left out.' });
    await shown.see('12 lines of part 3 are broken');
  });

  test('the row is drawn anew only when it says something else', async () => {
    const shown = replayed();
    await shown.keys(' ');
    await shown.see(/^ ▸ {2}2026/m);
    const frames = shown.frames();
    for (let i = 1; i < 9; i++) shown.tape.change({ position: start + i * 100 });
    shown.tape.change({ position: start + 1000 });
    await shown.see('14:03:21');
    expect(shown.frames()).toBe(frames + 1);
  });
});

describe('without a recording', () => {
  test.each([' ', '\x1b[D', '\x1b[C', ',', '.', '[', ']', '<', '>', 'T', '0', '$', 'O'])('%j says so', async (key) => {
    const shown = show();
    await shown.keys(key);
    await shown.see('Only a recording can be moved through');
  });

  test('E lists what has happened, and says when that is nothing', async () => {
    const shown = show();
    await shown.keys('E');
    await shown.see('Nothing has happened yet. M marks a moment.');
    const { store, clock } = shown.controls;
    store.push({ ...event(clock.now(), 'link lost', 'no answer for 14 s') });
    clock.advance(1000);
    await shown.see(/link lost +no answer for 14 s/);
    await shown.keys('\r');
    await shown.see('Only a recording can be moved through');
  });

  test.each(['40x10', '60x20', '80x24', '200x60'])(
    'E at %s says the chosen one whole, or that there is more',
    async (size) => {
      const [columns = 0] = size.split('x').map(Number);
      const text =
        'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB on GPU 6, with 0.88 GiB free. '.repeat(
          3,
        );
      const shown = show({
        size,
        controls: { tape: makeTape({ events: [event(start, 'log error', `${text}The end.`)] }) },
      });
      await shown.keys('E');
      await shown.see('Events and marks');
      const inside = rows(shown)
        .filter((row) => /^[┃│]/.test(row))
        .map((row) => row.slice(1, -1).trim());
      const told = inside.join(' ').replaceAll(/ +/g, ' ');
      expect(told).toMatch(columns < 60 ? /torch\.OutOfMemoryError: CUDA.*…/ : /GiB free\. The end\./);
      // Nothing is cut by the frame.
      for (const row of rows(shown).filter((row) => /log error/.test(row))) expect(row).toMatch(/(?:…| )[┃│]/);
    },
  );

  test.each([
    ['on', { is: 'on' }, 'Marked. Marks are in the recording'],
    ['off', { is: 'off' }, 'nothing is recorded.'],
    ['failed', { is: 'failed', reason: 'The disk is full.' }, 'until traintop ends. The disk is full.'],
  ] as const)('M marks a moment with a note while recording is %s', async (_, state, said) => {
    const marks: string[] = [];
    const shown = show({ controls: { recording: () => state, mark: (text) => void marks.push(text) } });
    await shown.keys('M', 'q? loss jumps ', '\r');
    await shown.see(said);
    expect(marks).toEqual(['q? loss jumps']);
    await shown.keys('M', '\r', 'M', '\x1b');
    await shown.see('¹GPUs');
    expect(marks).toEqual(['q? loss jumps', '']);
  });

  test('the header says that a recording is made, or why none is, which is told once too', async () => {
    expect(rows(show({ controls: { recording: () => ({ is: 'on' }) } }))[0]).toContain('● rec');
    expect(rows(show({ controls: { recording: () => ({ is: 'off' }) } }))[0]).not.toContain('rec');
    const reason = 'The recording stopped: no space left on the device.';
    const shown = show({ controls: { recording: () => ({ is: 'failed', reason, short: 'disk full' }) } });
    await shown.see(/not recorded: disk full/);
    await shown.see(reason);
    shown.controls.clock.advance(6000);
    await expect.poll(() => shown.text()).not.toContain(reason);
  });
});
