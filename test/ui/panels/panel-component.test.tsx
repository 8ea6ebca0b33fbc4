import { render } from 'ink-testing-library';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../src/clock.ts';
import { createStore, type State } from '../../../src/model/store.ts';
import type { Controls } from '../../../src/ui/controls.ts';
import { panelComponent } from '../../../src/ui/panels/panel-component.tsx';
import type { PanelProps } from '../../../src/ui/panels/panel.ts';
import { inputOf, madeStore, start } from './made.ts';

const { view } = inputOf(madeStore({ gpus: 1 }));
const base = { host: 'h', time: start, receivedAt: start };

/** A panel that counts how often its lines are asked for, on a store of its own. */
function counting() {
  const clock = createManualClock(start);
  const store = createStore(clock, 1000);
  const seen: State[] = [];
  const Component = panelComponent({
    title: 'Counted',
    digit: '9',
    slices: ['host'],
    sources: ['host'],
    hasData: ({ host }) => host !== undefined,
    body({ state }) {
      seen.push(state);
      return { lines: [[{ text: `load ${state.host?.load1 ?? 'none'}` }]], note: [{ text: 'a note' }] };
    },
  });
  const controls = { store, clock, intervalMs: 1000 } as unknown as Controls;
  const props: PanelProps = { controls, view, frozen: undefined, width: 60, height: 3, focused: false };
  const screen = render(<Component {...props} />);
  const commit = () => clock.advance(1100);
  const shows = (text: string) => expect.poll(() => screen.lastFrame()).toContain(text);
  return { store, seen, screen, commit, shows, Component, props };
}

const host = (load1: number) => ({ kind: 'host', source: 'host', load1, ...base }) as const;
const status = (of: string, to: 'live' | 'stale') =>
  ({ kind: 'source', source: of, status: to, reason: 'nothing new', ...base }) as const;

describe('a panel', () => {
  it('draws when its slice changed, and not for those of others', async () => {
    const { store, seen, screen, commit, shows } = counting();
    store.push(status('host', 'live'));
    store.push(host(1));
    commit();
    await shows('load 1');
    expect(screen.lastFrame()).toMatch(/Counted.*a note/);
    const drawn = seen.length;
    for (let i = 0; i < 3; i++) {
      store.push({ kind: 'log', source: 'log', path: '/x', format: 'g', lines: [], ...base });
      commit();
    }
    store.push(host(2));
    commit();
    await shows('load 2');
    expect(seen.length).toBe(drawn + 1);
    screen.unmount();
  });

  it('keeps old values and lets their age grow while its source is stale', async () => {
    const { store, screen, commit, shows } = counting();
    store.push(status('host', 'live'));
    store.push(host(1));
    store.push(status('host', 'stale'));
    commit();
    await shows('stale · 1s old');
    commit();
    await shows('stale · 2s old');
    expect(screen.lastFrame()).toContain('load 1');
    screen.unmount();
  });

  it('shows the frozen state, whatever comes in', async () => {
    const { store, screen, commit, shows, Component, props } = counting();
    store.push(status('host', 'live'));
    store.push(host(1));
    commit();
    await shows('load 1');
    screen.rerender(<Component {...props} frozen={store.getState()} />);
    store.push(host(2));
    commit();
    await shows('load 1');
    screen.rerender(<Component {...props} />);
    await shows('load 2');
    screen.unmount();
  });
});
