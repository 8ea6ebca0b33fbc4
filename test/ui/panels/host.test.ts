import { describe, expect, it } from 'vitest';
import type { HostFacts } from '../../../src/model/facts.ts';
import type { HostSample } from '../../../src/model/samples.ts';
import { hostLines } from '../../../src/ui/panels/host.tsx';
import { inputOf, madeStore, start, text, withSlices } from './made.ts';

const store = madeStore();
const draw = (width: number, height = 9) => text(hostLines(inputOf(store, { width, height })).lines);

function withHost(host: Partial<HostSample>) {
  const input = inputOf(store, { width: 116, height: 6 });
  const bare: HostSample = { kind: 'host', source: 'host', host: 'h', time: start, receivedAt: start, ...host };
  return text(hostLines({ ...input, state: withSlices(input.state, { host: bare }) }).lines);
}

describe('the Host panel', () => {
  it('in a 60-column pane', () =>
    expect(draw(56).join('\n')).toMatchInlineSnapshot(`
      "CPU   ▇▇▇···········  21%  load 18.4 17.9 16.1
      MEM   ▇▇▆···········  21%  415G of 1.97T  swap    0B
      WAITS cpu  1.2%  memory  0.0%  I/O  3.4%
      DISK  read 1.13G/s  write 3.91M/s  busiest disk  23%
      RUN   read 1.12G/s  write    0B/s
      COST  traintop  0.5% of a core  9.20M  5 processes
      NEIGHBOURS         USER             TID  CPU%
      ffmpeg             alice           9001 312.4
      nginx: worker      www-data        9002   4.2"
    `));
  it('at 80 columns', () =>
    expect(draw(76).join('\n')).toMatchInlineSnapshot(`
      "CPU   ▇▇▇▇···············  21%  load 18.4 17.9 16.1  of 96 cores
      MEM   ▇▇▇▆···············  21%  415G of 1.97T  swap    0B
      WAITS cpu  1.2%  memory  0.0%  I/O  3.4%  share of the last 10 s
      DISK  read 1.13G/s  write 3.91M/s  busiest disk  23%
      RUN   read 1.12G/s  write    0B/s
      COST  traintop  0.5% of a core  9.20M  5 processes
      NEIGHBOURS         USER             TID  CPU%
      ffmpeg             alice           9001 312.4
      nginx: worker      www-data        9002   4.2"
    `));
  it('at 120 columns', () =>
    expect(draw(116).join('\n')).toMatchInlineSnapshot(`
      "CPU   ▇▇▇▇▂···············  21%                               ⣀  load 18.4 17.9 16.1  of 96 cores  I/O wait  0.3%
      MEM   ▇▇▇▇▁···············  21%  415G of 1.97T  swap    0B
      WAITS cpu  1.2%  memory  0.0%  I/O  3.4%  share of the last 10 s
      DISK  read 1.13G/s  write 3.91M/s  busiest disk  23%
      RUN   read 1.12G/s  write    0B/s
      COST  traintop  0.5% of a core  9.20M  5 processes
      NEIGHBOURS         USER             TID  CPU%
      ffmpeg             alice           9001 312.4
      nginx: worker      www-data        9002   4.2"
    `));

  it('names neighbours only, the busiest first', () => {
    expect(draw(76, 20).slice(6)).toEqual([
      'NEIGHBOURS         USER             TID  CPU%',
      'ffmpeg             alice           9001 312.4',
      'nginx: worker      www-data        9002   4.2',
    ]);
  });

  it('says when neighbours come, as long as they will', () => {
    const early = (status: 'waiting' | 'live' | 'failed' | 'off', height = 7, threadCount?: number) => {
      const input = inputOf(store, { width: 76, height });
      const sources = new Map(input.state.sources).set('busiest', { status });
      const { busiest: _none, ...state } = withSlices(input.state, {
        sources,
        facts: { ...input.state.facts, threadCount } as HostFacts,
      });
      return text(hostLines({ ...input, state }).lines)[6];
    };
    expect([early('waiting'), early('live', 7, 1200), early('failed'), early('off'), early('live', 6)]).toEqual([
      'neighbours: first reading after 10 s',
      'neighbours: first reading after 40 s',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('says absent for all that is not known', () => {
    const lines = withHost({});
    expect(lines.join(' ')).not.toMatch(/\d(?!0? s)/);
    expect(lines[0]).toMatch(/^CPU .* – .*load +– +– +– +of – +I\/O wait +–$/);
  });

  it("takes the cgroup's limits for the whole", () => {
    const [cpu = '', memory = ''] = withHost({
      cores: 96,
      coreLimit: 7.5,
      memoryTotalBytes: 2e12,
      memoryAvailableBytes: 1e12,
      memoryLimitBytes: 64 * 2 ** 30,
      memoryUsedBytes: 16 * 2 ** 30,
    });
    expect(cpu).toMatch(/of 7\.5 cores/);
    expect(memory).toMatch(/ 25% 16\.0G of 64\.0G \(limit\)/);
  });
});
