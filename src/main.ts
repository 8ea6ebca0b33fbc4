import { Command, CommanderError } from 'commander';
import { readExportOptions } from './config/export-options.ts';
import { UsageFault } from './config/check-options.ts';
import { readOptions, speedLimits } from './config/options.ts';
import { scenarioNames } from './config/scenario-names.ts';
import { safeText } from './model/text.ts';
import { RecordingFault } from './recording/recording-fault.ts';
import { TransportFault } from './collectors/transport/transport.ts';
import { readReplayOptions, refuseHostOptions } from './config/replay-options.ts';
import { parseTarget, TargetError } from './config/target.ts';
import { defineDiagnose, defineImport } from './commands/define-saved.ts';
import { defineReport } from './commands/define-report.ts';
import { defineLogs } from './commands/logs/define.ts';
import { defineAttach, defineInit, watchOrHeadless, withHeadless } from './commands/define-watch.ts';
import { momentHelp } from './commands/moment-help.ts';
import { defineStacks } from './commands/stacks/define.ts';
import { description, version } from './commands/version.ts';

/** Exit code of a wrong command line, an unreachable host, and every other fault that one sentence explains. */
const faultCode = 2;

/** As docs and help name it. */
const defaultRuns = '~/.local/state/traintop/runs';

const program = new Command('traintop')
  .description(description)
  .version(version)
  .exitOverride()
  .configureHelp({ sortSubcommands: false });

const watchCommand = withHeadless(withRunOptions(program.command('watch', { isDefault: true })));
const watchRecord = ['--record <dir>', `where recordings go (default: ${defaultRuns})`] as const;
withRecordOptions(watchCommand, ...watchRecord);
watchCommand
  .description('watch a run on the screen (the default)')
  .argument('[target]', targetHelp())
  .action(async (target: string | undefined, raw: Record<string, unknown>, command: Command) => {
    const path = recordingOf(target, command, []);
    if (path !== undefined) {
      const { replay } = await import('./commands/replay.tsx');
      process.exitCode = await replay(path, readReplayOptions({}));
      return;
    }
    process.exitCode = await watchOrHeadless(target, raw);
  });

const demoCommand = withHeadless(withRunOptions(program.command('demo')));
withRecordOptions(demoCommand, '--record [dir]', `make a recording, there or in ${defaultRuns}`);
demoCommand
  .description('watch a simulated run on eight GPUs')
  .option(
    '--scenario <name>',
    `what happens there: ${scenarioNames.join(', ')}; list prints these and those of alarms`,
    'healthy',
  )
  .option('--seed <number>', 'of the figures: the same number, the same figures')
  .option('--speed <factor>', `demo seconds a second, up to ${speedLimits.fastest} where this machine keeps up`, '1')
  .action(async (raw: Record<string, unknown>) => {
    if (raw['scenario'] === 'list') {
      const { scenarioList } = await import('./commands/scenario-list.ts');
      process.stdout.write(scenarioList());
      return;
    }
    process.exitCode = await watchOrHeadless('demo', raw);
  });

defineAttach(program.command('attach'), withHostOptions);
defineInit(program.command('init'), (command) => withRecordOptions(withRunOptions(command), ...watchRecord));

program
  .command('replay')
  .description('play a recording on the screen; traintop recordings lists them')
  .argument('[recording]', 'a file, or the folder of its files; else the newest that was made')
  .option('--speed <factor>', 'recorded seconds a second, from 0.25 to 64', '1')
  .option('--at <time>', `begin there: ${momentHelp}`)
  .option('--loop', 'begin anew at the end')
  .option('--paused', 'do not play yet')
  .action(async (path: string | undefined, raw: Record<string, unknown>) => {
    const { replay } = await import('./commands/replay.tsx');
    process.exitCode = await replay(path, readReplayOptions(raw));
  });

defineImport(program.command('import'));
defineDiagnose(program.command('diagnose'));
defineLogs(program.command('logs'));
defineReport(program.command('report'));

withRunOptions(program.command('once'))
  .description('print one moment of a run for scripts')
  .argument('[target]', targetHelp())
  .option('--json', 'as one JSON object (the only form so far)')
  .option('--at <time>', `of a recording, that moment instead of its end: ${momentHelp}`)
  .action(async (target: string | undefined, raw: Record<string, unknown>, command: Command) => {
    const at = typeof raw['at'] === 'string' ? raw['at'] : undefined;
    const path = recordingOf(target, command, ['--json', '--at']);
    if (path !== undefined) {
      const { onceRecorded } = await import('./commands/once-recorded.ts');
      process.exitCode = await onceRecorded(path, at);
      return;
    }
    if (at !== undefined) throw new UsageFault('--at is about a recording; a host has no other moment than now.');
    const { once } = await import('./commands/once.ts');
    process.exitCode = await once(readOptions(target, raw));
  });

withRunOptions(program.command('doctor'))
  .description('say what works on a host, what does not, why, and how to mend it')
  .argument('[target]', targetHelp())
  .option('--json', 'as one JSON object (docs/doctor.md)')
  .option('--commands', 'print every script that traintop would run there; without a target those of a typical host')
  .addHelpText(
    'after',
    '\nExits with 1 when something that is needed is missing or does not work, 2 for a wrong command line.',
  )
  .action(async (target: string | undefined, raw: Record<string, unknown>, command: Command) => {
    recordingOf(target, command, ['--json']);
    const { doctor } = await import('./commands/doctor.ts');
    const wish = { json: raw['json'] === true, commands: raw['commands'] === true, anywhere: target === undefined };
    process.exitCode = await doctor(readOptions(target, raw), wish);
  });

defineStacks(withRunOptions(program.command('stacks')));

program
  .command('recordings')
  .description('list the recordings, the newest first')
  .argument('[folder]', 'instead of that in which they are made')
  .option('--json', 'as one JSON object')
  .action(async (folder: string | undefined, raw: Record<string, unknown>) => {
    const { listRecordings } = await import('./commands/recordings.ts');
    process.exitCode = await listRecordings(folder, { json: raw['json'] === true });
  });

program
  .command('export')
  .description('write the series of a recording as a table, for pandas or a spreadsheet')
  .argument('<recording>', 'a file, or the folder of its files')
  .option('--format <format>', 'csv or jsonl; else as the name of the output ends, csv else')
  .option('-o, --output <file>', 'instead of standard output')
  .option(
    '--series <pattern>',
    "series by name, with * and ?, e.g. 'gpu/*/powerWatts' (repeatable); else all but those of threads and processes",
    list,
  )
  .option(
    '--every <time>',
    'a row for each 1s, 10s, 1m, ... (means), or sample: each as it was measured; else the interval',
  )
  .option('--from <time>', 'not before that moment: 03:12, -2h, 2026-06-12 03:12, ...')
  .option('--to <time>', 'not after it')
  .option('--list', 'the names of the series, and what is in them')
  .option('--events', 'events and marks instead of series')
  .action(async (path: string, raw: Record<string, unknown>) => {
    const { exportRecording } = await import('./commands/export.ts');
    process.exitCode = await exportRecording(path, readExportOptions(raw));
  });

withHostOptions(program.command('shell'))
  .description('open a shell on the host, through the wrapper; Enter ~ . leaves it at once')
  .argument('[target]', targetHelp())
  .addHelpText(
    'after',
    '\nExits with the exit code of the shell; 128 and its number when a signal ended it; 255 when it was left or the connection' +
      '\nwent; 2 when none could be opened.',
  )
  .action(async (target: string | undefined, raw: Record<string, unknown>) => {
    const { shell } = await import('./commands/shell.ts');
    process.exitCode = await shell(readOptions(target, raw));
  });

program.addHelpText('after', () => {
  const [shared, recording] = [withRunOptions(new Command()), withRecordOptions(new Command(), ...watchRecord)];
  return `\nOptions of watch, demo, once, doctor and stacks:\n${optionLines(shared)}\n\nOptions of watch and demo:\n${optionLines(recording)}`;
});

// Who reads may go before all is written (`| head`): that is no fault. A full disk is one.
let outputFault: NodeJS.ErrnoException | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') outputFault ??= error;
});
process.stderr.on('error', () => {});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : faultCode;
  else if ([TransportFault, UsageFault, TargetError, RecordingFault].some((fault) => error instanceof fault)) {
    // Names of files are in them, as somebody gave them.
    const text = (error as Error).message.split('\n').map(safeText).join('\n');
    process.stderr.write(`traintop: ${text}\n`);
    process.exitCode = faultCode;
  } else throw error;
}
if (outputFault) {
  process.stderr.write(`traintop: The output could not be written (${outputFault.message}).\n`);
  process.exitCode = faultCode;
}

/** The options of a command, as commander writes them. */
function optionLines(command: Command): string {
  const text = command.helpInformation();
  return text.slice(text.indexOf('Options:\n') + 'Options:\n'.length).replace(/\n *-h, --help.*/s, '');
}

function targetHelp(): string {
  return 'local (the default), [user@]host[:port], an alias of ~/.ssh/config, demo, or the path of a recording';
}

/** The path, if the target is a recording. Throws a UsageFault where options were given that are for hosts only. */
function recordingOf(target: string | undefined, command: Command, taken: readonly string[]): string | undefined {
  const named = parseTarget(target ?? 'local');
  if (named.kind !== 'recording') return undefined;
  const given = command.options.filter((option) => {
    const name = option.attributeName();
    return command.getOptionValueSource(name) === 'cli' && option.negate === (command.getOptionValue(name) === false);
  });
  refuseHostOptions(
    named.path,
    given.map(({ long }) => long ?? '').filter((name) => !taken.includes(name)),
  );
  return named.path;
}

/** How to get to a host. */
function withHostOptions(command: Command): Command {
  return withLogIn(withWrap(command));
}

function withWrap(command: Command): Command {
  return command.option(
    '--wrap <command>',
    "put before every command there, e.g. 'pct exec 200 --' or 'docker exec -i NAME'",
  );
}

function withLogIn(command: Command): Command {
  return command
    .option('--identity <file>', 'a private key file (repeatable)', list)
    .option('--ssh-config <file>', 'instead of ~/.ssh/config');
}

function list(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function withRunOptions(command: Command): Command {
  const own = withWrap(command)
    .option('--pid <pid>', 'watch the run this process belongs to')
    .option('--match <regex>', 'watch the run whose command line matches')
    .option(
      '--log <path>',
      "a log file of the run on the host (repeatable; 'rank*.log' names all that match there); else those that it writes",
      list,
    )
    .option('--log-format <name>', 'read the logs as this format (docs/formats.md), or as generic; else it is found')
    .option(
      '--baseline <speed|recording>',
      'a speed to compare with: 14.5K (tokens a second, or what the log tells), or the median of a recording',
    )
    .option('--batch-tokens <number>', 'tokens of one step, where the log prints no tokens/s: 491520, 0.5M')
    .option('--interval <seconds>', 'seconds between frames', '1')
    .option('--threads <reader>', 'what reads the threads: proc, top or pidstat', 'proc')
    .option(
      '--py-spy <path>',
      'py-spy on the host, or a file here (the program, or its wheel) that may be copied there',
    )
    .option('--config <file>', 'instead of ~/.config/traintop/config.toml: rules for the roles of threads and GPUs')
    .option('--target-gpus <list>', 'GPUs whose role is target: 0,1 or 0-3')
    .option('--gpu-role <role=list>', 'the role of some GPUs, as in drafter=5-7 (repeatable)', list)
    .option(
      '--no-auto-dump',
      'take no dump for the names of threads by itself (py-spy, nonblocking; at most one in 5 min)',
    )
    .option(
      '--checkpoints <folder>',
      'a folder on the host in which checkpoints are kept, whose room is watched (repeatable)',
      list,
    )
    .option('--read-only', 'do nothing that touches the run: no signals, no captures that hold a process, no copies');
  return withLogIn(own);
}

/** Of the commands with a screen: nothing else makes a recording. */
function withRecordOptions(command: Command, flags: string, text: string): Command {
  return command
    .option('--no-alarms', 'nothing rings (docs/alarms.md)')
    .option('--webhook <url>', 'send alarms there as JSON, by https (repeatable)', list)
    .option('--on-alarm <program>', 'run it at each alarm, which is in its environment (repeatable)', list)
    .option('--no-black-box', 'take no evidence by itself when the run stalls, hangs or ends')
    .option(flags, text)
    .option('--no-record', 'make no recording')
    .option('--record-size <GiB>', 'of recordings kept there: the oldest parts go first; 0: no limit', '5')
    .option('--record-days <days>', 'that a recording is kept after its end; 0: no limit', '30')
    .option('--report-on-exit <file>', 'write a report at the end, as traintop report does: .html or .md');
}
