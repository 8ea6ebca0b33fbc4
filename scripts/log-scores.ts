import { scoreFolder, type LogScore } from './lib/log-scores.ts';

/** Prints how well the logs of each folder are read, and what is missing or wrong in them. Resolves with the exit code: 1, unless all is right. */
export async function logScores(args: readonly string[]): Promise<number> {
  const brief = args.includes('--brief');
  const folders = args.filter((arg) => !arg.startsWith('-'));
  let bad = false;
  for (const folder of folders.length > 0 ? folders : ['test/fixtures/log', 'test/fixtures/log-made']) {
    const scores = await scoreFolder(folder);
    for (const score of [...scores, totalOf(scores)]) {
      const { name, expected, found, missing, wrong } = score;
      const recall = expected === 0 ? '    -' : `${((100 * found) / expected).toFixed(1).padStart(5)}`;
      console.log(`${name.padEnd(24)} ${recall} %  ${String(found).padStart(5)}/${expected}  false ${wrong.length}`);
      if (brief || name === 'total') continue;
      for (const text of missing) console.log(`    missing ${text}`);
      for (const text of wrong) console.log(`    false   ${text}`);
    }
    bad ||= scores.some(({ missing, wrong }) => missing.length + wrong.length > 0);
  }
  return bad ? 1 : 0;
}

function totalOf(scores: readonly LogScore[]): LogScore {
  return {
    name: 'total',
    expected: scores.reduce((sum, { expected }) => sum + expected, 0),
    found: scores.reduce((sum, { found }) => sum + found, 0),
    missing: [],
    wrong: scores.flatMap(({ wrong }) => wrong),
  };
}
