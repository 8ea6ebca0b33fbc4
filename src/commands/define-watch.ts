import type { Command } from 'commander';
import { UsageFault } from '../config/check-options.ts';
import { readOptions } from '../config/options.ts';

/** Adds `--headless` to what watches; `run` gives the screen's command line to either. */
export function withHeadless(command: Command): Command {
  return command.option(
    '--headless',
    'without a screen: keep watch until SIGTERM; traintop attach shows it (docs/watch.md)',
  );
}

/** Watches, on a screen or without. */
export async function watchOrHeadless(target: string | undefined, raw: Record<string, unknown>): Promise<number> {
  const options = readOptions(target, raw);
  if (raw['headless'] === true) {
    const { headless } = await import('./headless.ts');
    return headless(options);
  }
  const { watch } = await import('./watch.tsx');
  return watch(options);
}

/** The options and the action of `traintop attach`; `withHost` adds those by which a host is reached. */
export function defineAttach(command: Command, withHost: (command: Command) => Command): void {
  withHost(command)
    .description('open the screen on what a watch without one takes in (traintop --headless), here or on a host')
    .argument('[host]', 'where it runs: [user@]host[:port] or an alias; else this machine')
    .option('--watch <name>', 'which one, where several run there; the beginning of its name will do')
    .option('--stdio', 'join standard input and output to it, for a traintop elsewhere')
    .action(async (host: string | undefined, raw: Record<string, unknown>) => {
      const { watch, stdio } = raw as { readonly watch?: string; readonly stdio?: true };
      if (stdio) {
        if (host !== undefined) throw new UsageFault('--stdio is about this machine: it takes no host.');
        const { attachStdio } = await import('./attach-stdio.ts');
        process.exitCode = await attachStdio(watch);
        return;
      }
      const { attach } = await import('./attach.tsx');
      process.exitCode = await attach(readOptions(host, raw), watch);
    });
}

/** The options and the action of `traintop init`; `withRun` adds those of a watch. */
export function defineInit(command: Command, withRun: (command: Command) => Command): void {
  withRun(command)
    .description('print a unit file by which systemd keeps watch (docs/watch.md)')
    .argument('[target]', 'as for watch')
    .option('--systemd', 'a unit of your own systemd (the only form so far)')
    .option('-o, --output <file>', 'write it there instead of printing it')
    .action(async (target: string | undefined, raw: Record<string, unknown>) => {
      if (raw['systemd'] !== true) throw new UsageFault('traintop init makes a unit file: give --systemd.');
      const { initSystemd, wordsOf } = await import('./init.ts');
      const output = typeof raw['output'] === 'string' ? raw['output'] : undefined;
      const given = command.options.filter((option) => {
        const name = option.attributeName();
        if (name === 'systemd' || name === 'output' || command.getOptionValueSource(name) !== 'cli') return false;
        return option.negate === (command.getOptionValue(name) === false);
      });
      const words = wordsOf(
        target,
        given.map((option) => ({
          name: option.attributeName(),
          flag: option.long ?? '',
          value: command.getOptionValue(option.attributeName()) as unknown,
        })),
      );
      process.exitCode = await initSystemd(readOptions(target, raw), words, output);
    });
}
