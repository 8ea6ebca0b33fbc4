import type { Command } from 'commander';
import { momentHelp } from './moment-help.ts';

/** The options and the action of `traintop import`. */
export function defineImport(command: Command): void {
  const described = command.description(
    'make a recording of saved command output (docs/import.md), to look at a host that cannot be reached',
  );
  withReading(
    withFiles(described)
      .option('-o, --output <file>', 'the recording that is made')
      .option('--force', 'write over a file that is there')
      .option('--name <name>', 'what the host is called; else as the folder of the first file'),
  )
    .addHelpText('after', '\nFiles may be gzip; - is standard input.')
    .action(async (raw: Record<string, unknown>) => {
      const [{ importFiles }, { readImportOptions }] = await Promise.all([
        import('./import.ts'),
        import('./import-options.ts'),
      ]);
      process.exitCode = await importFiles(readImportOptions(raw));
    });
}

/** The options and the action of `traintop diagnose`. */
export function defineDiagnose(command: Command): void {
  const described = command
    .description('say what a run waits for, and why: of a recording, or of saved command output (docs/diagnosis.md)')
    .argument('[recording]', 'a file, or the folder of its files; else the newest that was made')
    .option('--at <time>', `as of that moment, not the end: ${momentHelp}`)
    .option('--json', 'as one JSON object')
    .option('--signals', 'what rules were asked with, too');
  withReading(withFiles(described))
    .addHelpText('after', '\nFiles are those of traintop import: they may be gzip, and - is standard input.')
    .action(async (path: string | undefined, raw: Record<string, unknown>) => {
      const [{ diagnose }, { readDiagnoseOptions }] = await Promise.all([
        import('./diagnose.ts'),
        import('./diagnose-options.ts'),
      ]);
      process.exitCode = await diagnose(readDiagnoseOptions(path, raw));
    });
}

function withFiles(command: Command): Command {
  return command
    .option('--top <file>', 'of LC_ALL=C top -H -b -d 1 -w 512 [-p PIDS]')
    .option('--nvidia-smi <file>', 'of nvidia-smi --query-gpu=timestamp,index,... --format=csv -l 1 (or -lms 250)')
    .option('--dmon <file>', 'of nvidia-smi dmon, any columns')
    .option('--log <file>', "the run's log (repeatable)", list)
    .option('--log-format <name>', 'read the logs as this format (docs/formats.md); else it is found')
    .option('--config <file>', 'instead of ~/.config/traintop/config.toml: [[log]] has patterns')
    .option('--stat <file>', 'rounds of /proc/PID/task/*/stat, each below a line == EPOCH')
    .option('--pidstat <file>', 'of LC_ALL=C pidstat -t -h -H -u -p PID 1')
    .option('--stacks <folder>', 'dumps of py-spy: dump-PID-N.json, dump-PID.txt, native-PID.txt');
}

function withReading(command: Command): Command {
  return command
    .option('--pid <pids>', "the run's processes: threads of others in the same top are left out")
    .option('--nvidia-smi-fields <fields>', 'what stood behind --query-gpu=, for a file without its header line')
    .option('--utc-offset <offset>', "the host's time zone, e.g. +02:00, where no file tells it")
    .option('--date <day>', 'the first day, e.g. 2026-11-29, where no file tells it')
    .option('--step <seconds>', 'between the rounds of a file without times (1)');
}

function list(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
