import { expect, test } from 'vitest';
import { expectSame, film, momentOf, project, type Scenery } from './filmed.tsx';

const sceneries: readonly Scenery[] = [{ columns: 160, rows: 50 }];

/** Where it is hard: a graph longer than what is looked back on, a run that ends, another that begins, a link that breaks. */
test.each([
  { scenario: 'healthy', from: 1320, to: 1340, shows: /step +64/ },
  { scenario: 'oom', from: 235, to: 280, shows: /OutOfMemoryError/ },
  { scenario: 'restart', from: 170, to: 250, shows: /PID 52310/ },
  { scenario: 'flaky-link', from: 140, to: 195, shows: /link lost|lost .* ago|trying/ },
])(
  '$scenario, replayed, shows what the live screen showed',
  async ({ scenario, from, to, shows }) => {
    const shown = await film(sceneries, { scenario, from, seconds: to, stepMs: 500 });
    try {
      const live = (second: number) => shown.shots[0]?.[second] ?? [];
      const all = Array.from({ length: to - from }, (_, i) => live(from + i).join('\n')).join('\n');
      expect(all).toMatch(shows);
      const { player, shoot, close } = await project(shown, sceneries);
      const compare = async (second: number) => {
        await player.seek(momentOf(second));
        expectSame(await shoot(0), live(second), `${scenario}, second ${second}`);
      };
      try {
        for (let second = from; second < to; second++) await compare(second);
        for (let i = 0; i < 15; i++) await compare(from + ((i * 37 + 11) % (to - from)));
      } finally {
        await close();
      }
    } finally {
      shown.remove();
    }
  },
  240_000,
);
