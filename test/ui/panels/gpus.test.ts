import { describe, expect, it } from 'vitest';
import { gpuLines } from '../../../src/ui/panels/gpus.tsx';
import { inputOf, madeStore, text } from './made.ts';

const store = madeStore({ processes: 2 });
const draw = (width: number, height = 9) => text(gpuLines(inputOf(store, { width, height })).lines).join('\n');
const note = (made: Parameters<typeof madeStore>[0]) =>
  (gpuLines(inputOf(madeStore(made))).note ?? []).map((segment) => segment.text).join('');

describe('the GPUs panel', () => {
  it('in a 60-column pane', () =>
    expect(draw(56)).toMatchInlineSnapshot(`
    " # UTIL                GiB   POWER W  TEMP THROTTLE
     0 ▇▇▇▇▇▇▇▇▁  90%  118/140   651/700  57°C
     1 ▇▇▇▇▇▇▇▇▃  93%  118/140   652/700  58°C
     2 ▇▇▇▇▇▇▇▇▄  96%  118/140   653/700  59°C
     3 ▇▇▇▇▇▇▇▇▆  99%  118/140   654/700  60°C
     4 ▇▇▇▇▇▇▇▇▂  92%  118/140   655/700  61°C
     5 ▇▇▇▇▇▇▇▅·  85%   92/140   336/700  62°C
     6 ▇▇▅······  30%   92/140   337/700  63°C
     7 ▇▇▇▁·····  35%   92/140   338/700  64°C"
  `));
  it('at 80 columns', () =>
    expect(draw(76)).toMatchInlineSnapshot(`
    " # UTIL         HISTORY   MEMOR      GiB   POWER W  TEMP HELD BY  THROTTLE
     0 ▇▇▇▇▇▇▂  90% ⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▁  118/140   651/700  57°C r0
     1 ▇▇▇▇▇▇▄  93% ⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▁  118/140   652/700  58°C r1
     2 ▇▇▇▇▇▇▅  96% ⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▁  118/140   653/700  59°C r0
     3 ▇▇▇▇▇▇▇  99% ⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▁  118/140   654/700  60°C r1
     4 ▇▇▇▇▇▇▃  92% ⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▁  118/140   655/700  61°C r0
     5 ▇▇▇▇▇▇·  85% ⣧⣤⣶⣠⣴⣆⣤⣶⣶ ▇▇▇▂·   92/140   336/700  62°C r1
     6 ▇▇▁····  30% ⣠⣴⣾⣤⣴⣆⣤⣶⣀ ▇▇▇▂·   92/140   337/700  63°C r0
     7 ▇▇▃····  35% ⣤⣴⣆⣤⣶⣧⣤⣶⣀ ▇▇▇▂·   92/140   338/700  64°C r1"
  `));
  it('at 120 columns', () =>
    expect(draw(116)).toMatchInlineSnapshot(`
      " # UTIL              HISTORY                   MEMORY        GiB   POWER W  TEMP  MHz HELD BY   THROTTLE
       0 ▇▇▇▇▇▇▇▇▇▇▆·  90% ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▇▇▅·  118/140   651/700  57°C 1980 r0
       1 ▇▇▇▇▇▇▇▇▇▇▇▁  93% ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▇▇▅·  118/140   652/700  58°C 1980 r1
       2 ▇▇▇▇▇▇▇▇▇▇▇▄  96% ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▇▇▅·  118/140   653/700  59°C 1980 r0
       3 ▇▇▇▇▇▇▇▇▇▇▇▆  99% ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▇▇▅·  118/140   654/700  60°C 1980 r1
       4 ▇▇▇▇▇▇▇▇▇▇▇·  92% ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▇▇▅·  118/140   655/700  61°C 1980 r0
       5 ▇▇▇▇▇▇▇▇▇▇▁·  85% ⣠⣴⣆⣤⣶⣦⣤⣶⣠⣴⣾⣤⣴⣆⣤⣶⣧⣤⣶⣠⣴⣆⣤⣶⣶ ▇▇▇▇▇▂··   92/140   336/700  62°C 1980 r1
       6 ▇▇▇▄········  30% ⣤⣶⣆⣤⣶⣠⣴⣶⣤⣴⣆⣤⣶⣧⣤⣶⣠⣴⣾⣤⣴⣆⣤⣶⣀ ▇▇▇▇▇▂··   92/140   337/700  63°C 1980 r0
       7 ▇▇▇▇▁·······  35% ⣤⣶⣠⣴⣶⣠⣴⣆⣤⣶⣦⣤⣶⣠⣴⣾⣤⣴⣆⣤⣶⣧⣤⣶⣀ ▇▇▇▇▇▂··   92/140   338/700  64°C 1980 r1"
    `));
  it('at 200 columns', () =>
    expect(draw(196)).toMatchInlineSnapshot(`
      " # UTIL              HISTORY                                                                                                   MEMORY        GiB   POWER W  TEMP  MHz HELD BY   THROTTLE
       0 ▇▇▇▇▇▇▇▇▇▇▆·  90%                                                            ⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▇▇▅·  118/140   651/700  57°C 1980 r0
       1 ▇▇▇▇▇▇▇▇▇▇▇▁  93%                                                            ⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▇▇▅·  118/140   652/700  58°C 1980 r1
       2 ▇▇▇▇▇▇▇▇▇▇▇▄  96%                                                            ⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▇▇▅·  118/140   653/700  59°C 1980 r0
       3 ▇▇▇▇▇▇▇▇▇▇▇▆  99%                                                            ⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▇▇▅·  118/140   654/700  60°C 1980 r1
       4 ▇▇▇▇▇▇▇▇▇▇▇·  92%                                                            ⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿ ▇▇▇▇▇▇▅·  118/140   655/700  61°C 1980 r0
       5 ▇▇▇▇▇▇▇▇▇▇▁·  85%                                                            ⢰⣾⣤⣴⣆⣤⣶⣧⣤⣶⣠⣴⣆⣤⣶⣆⣤⣶⣠⣴⣶⣠⣴⣆⣤⣶⣦⣤⣶⣠⣴⣾⣤⣴⣆⣤⣶⣧⣤⣶⣠⣴⣆⣤⣶⣶ ▇▇▇▇▇▂··   92/140   336/700  62°C 1980 r1
       6 ▇▇▇▄········  30%                                                            ⢰⣆⣤⣶⣧⣤⣶⣠⣴⣾⣤⣴⣆⣤⣶⣠⣴⣶⣠⣴⣆⣤⣶⣆⣤⣶⣠⣴⣶⣤⣴⣆⣤⣶⣧⣤⣶⣠⣴⣾⣤⣴⣆⣤⣶⣀ ▇▇▇▇▇▂··   92/140   337/700  63°C 1980 r0
       7 ▇▇▇▇▁·······  35%                                                            ⢰⣦⣤⣶⣠⣴⣾⣤⣴⣆⣤⣶⣧⣤⣶⣠⣴⣆⣤⣶⣆⣤⣶⣠⣴⣶⣠⣴⣆⣤⣶⣦⣤⣶⣠⣴⣾⣤⣴⣆⣤⣶⣧⣤⣶⣀ ▇▇▇▇▇▂··   92/140   338/700  64°C 1980 r1"
    `));
  it('leaves the titles out where they cost a GPU its row', () => expect(draw(76, 8).split('\n')).toHaveLength(8));
  it('puts two GPUs a row when it is low', () =>
    expect(draw(56, 4)).toMatchInlineSnapshot(`
    "0 ▇▇▇▇▄  90% 118G 651W 57°   1 ▇▇▇▇▅  93% 118G 652W 58°
    2 ▇▇▇▇▆  96% 118G 653W 59°   3 ▇▇▇▇▇  99% 118G 654W 60°
    4 ▇▇▇▇▄  92% 118G 655W 61°   5 ▇▇▇▇▂  85%  92G 336W 62°
    6 ▇▄···  30%  92G 337W 63°   7 ▇▅···  35%  92G 338W 64°"
  `));
  it('adds the history to a low and wide one', () =>
    expect(draw(156, 4)).toMatchInlineSnapshot(`
    "0 ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▃· ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿  90% 118G 651W 57°   1 ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▆· ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿  93% 118G 652W 58°
    2 ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▃ ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿  96% 118G 653W 59°   3 ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▆ ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿  99% 118G 654W 60°
    4 ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▅· ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿  92% 118G 655W 61°   5 ▇▇▇▇▇▇▇▇▇▇▇▇▇▄·· ⣤⣶⣠⣴⣆⣤⣶⣆⣤⣶⣠⣴⣶⣠⣴⣆⣤⣶⣦⣤⣶⣠⣴⣾⣤⣴⣆⣤⣶⣧⣤⣶⣠⣴⣆⣤⣶⣶  85%  92G 336W 62°
    6 ▇▇▇▇▆··········· ⣴⣾⣤⣴⣆⣤⣶⣠⣴⣶⣠⣴⣆⣤⣶⣆⣤⣶⣠⣴⣶⣤⣴⣆⣤⣶⣧⣤⣶⣠⣴⣾⣤⣴⣆⣤⣶⣀  30%  92G 337W 63°   7 ▇▇▇▇▇▄·········· ⣴⣆⣤⣶⣧⣤⣶⣠⣴⣆⣤⣶⣆⣤⣶⣠⣴⣶⣠⣴⣆⣤⣶⣦⣤⣶⣠⣴⣾⣤⣴⣆⣤⣶⣧⣤⣶⣀  35%  92G 338W 64°"
  `));

  it('puts as many GPUs a row as are needed, and scrolls to the cursor', () => {
    const many = madeStore({ gpus: 16 });
    const at = (cursor: number, width: number) =>
      gpuLines(inputOf(many, { width, height: 4, focused: true, view: { cursor } })).lines;
    expect(text(at(0, 156)).map((line) => line.match(/\d+%/g)?.length)).toEqual([4, 4, 4, 4]);
    expect(text(at(0, 60))[0]).toMatch(/^ 0 .* 1 /);
    expect(text(at(15, 60)).at(-1)).toMatch(/^14 .* 15 /);
    const inverse = at(15, 60)
      .flat()
      .filter((segment) => segment.inverse);
    expect(inverse.map((segment) => segment.text.slice(0, 3))).toEqual(['15 ']);
  });

  it('shows absent values as absent, and columns that the driver does not have too', () => {
    const bare = madeStore({
      gpus: 2,
      lastGpus: ({ kind, host, source, time, receivedAt, uuid, index, name }) => ({
        kind,
        host,
        source,
        time,
        receivedAt,
        uuid,
        index,
        name,
        utilizationPercent: [0, null],
      }),
    });
    const { lines, note: noted } = gpuLines(inputOf(bare, { width: 116, height: 3 }));
    const [, first = '', second = ''] = text(lines);
    expect(first).toMatch(/^ 0 ·+ +0% .* – +– +– +– /);
    expect(second).toMatch(/^ 1 +– .* – +– +– +– /);
    expect(second).not.toMatch(/[^\d]0[^\d]/);
    expect(noted?.map((segment) => segment.text).join('')).toBe('2 × H200 · mean 0%');
  });

  it('says what throttles a GPU and what is wrong with it, in words', () => {
    const store = madeStore({
      gpus: 3,
      lastGpus: (sample) => ({
        ...sample,
        throttleReasons: [['power cap'], ['hw thermal', 'hw slowdown'], null],
        faults: [null, null, 'GPU requires reset'],
        utilizationPercent: [98, 40, null],
        temperatureCelsius: [79, 88, null],
      }),
    });
    const { lines } = gpuLines(inputOf(store, { width: 116, height: 4 }));
    const toned = lines.map((line) =>
      line.flatMap(({ text: t, tone }) => (tone === 'warn' || tone === 'bad' ? [`${tone} ${t.trim()}`] : [])),
    );
    expect(toned).toEqual([
      [],
      ['warn power cap'],
      ['bad 88°C', 'bad hw thermal, hw slow…'],
      ['bad GPU requires reset'],
    ]);
    const [compact = ''] = text(gpuLines(inputOf(store, { width: 90, height: 1 })).lines);
    expect(compact).toMatch(/^0 .*\* {2}1 .*! {2}2 GPU r… .*!$/);
  });

  it('sums up in the note', () => {
    expect(note({ gpus: 8 })).toBe('8 × H200 · mean 78% · 4275 W');
    expect(note({ gpus: 2, lastGpus: (s) => ({ ...s, name: ['NVIDIA A100-SXM4-80GB', 'NVIDIA H200'] }) })).toMatch(
      /^2 × GPU · /,
    );
    expect(note({ gpus: 2, lastGpus: (s) => ({ ...s, throttleReasons: [['power cap'], ['hw thermal']] }) })).toMatch(
      / · 1: hw thermal$/,
    );
  });

  it('keeps every column in place when digits change', () => {
    const place = (power: number, utilization: number) => {
      const changed = madeStore({
        gpus: 2,
        lastGpus: (s) => ({ ...s, powerWatts: [power, power], utilizationPercent: [utilization, 1] }),
      });
      return text(gpuLines(inputOf(changed, { width: 116, height: 3 })).lines).map((line) => line.indexOf('°C'));
    };
    expect(place(9, 0)).toEqual(place(700, 100));
  });
});
