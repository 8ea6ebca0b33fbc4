import type { Command } from 'commander';

/** `traintop logs`: what is read from a log. */
export function defineLogs(command: Command): void {
  command
    .description('print what is read from a log file, what is not, and why (docs/formats.md)')
    .argument('<file>', 'a file; - is standard input')
    .option('--json', 'one JSON object a record')
    .option('--format <name>', 'read it as this format, or as generic; else it is found')
    .option('--try <regex>', 'show what a pattern with named groups reads, as in "nll (?<loss>\\S+)"')
    .option('--config <file>', 'instead of ~/.config/traintop/config.toml: [[log]] has patterns')
    .addHelpText('after', '\nExits with 1 when a pattern that is tried reads nothing, 2 for a wrong command line.')
    .action(async (path: string, raw: Record<string, unknown>) => {
      const [{ logs }, { readLogsOptions }] = await Promise.all([import('./logs.ts'), import('./options.ts')]);
      process.exitCode = await logs(readLogsOptions(path, raw));
    });
}
