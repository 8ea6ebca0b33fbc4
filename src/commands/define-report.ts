import type { Command } from 'commander';
import { momentHelp } from './moment-help.ts';

/** `traintop report`: a page, or Markdown, of what a run did. */
export function defineReport(command: Command): void {
  command
    .description('write what a run did as one page (.html) or as Markdown, from its recording')
    .argument('<recording>', 'a file, or the folder of its files')
    .option('-o, --output <file>', 'night.html or night.md; - is Markdown to standard output, the default')
    .option('--against <recording>', 'compare with another one')
    .option('--from <time>', `not before that moment: ${momentHelp}`)
    .option('--to <time>', 'not after it')
    .action(async (path: string, raw: Record<string, unknown>) => {
      const [{ report }, { readReportOptions }] = await Promise.all([
        import('./report.ts'),
        import('./report-options.ts'),
      ]);
      process.exitCode = await report(path, readReportOptions(raw));
    });
}
