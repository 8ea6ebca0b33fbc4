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
