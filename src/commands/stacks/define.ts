import type { Command } from 'commander';
import { captureDefaults } from '../../model/capture-plan.ts';

const { seconds, rate, rounds, everySeconds } = captureDefaults;

/** `traintop stacks`, from its command that has the options of a run already. */
export function defineStacks(command: Command): void {
  command
    .description('take stacks with py-spy, for a shell or cron (docs/stacks.md)')
    .usage('[options] [target] dump|native|many|record|gil')
    .argument('<words...>', 'target: as for watch; then what to take')
    .option('--all-ranks', 'of each rank; else of one process: --pid, or the first rank')
    .option('--seconds <n>', `of record and gil (${seconds})`)
    .option('--rate <n>', `samples a second of record and gil (${rate})`)
    .option('--rounds <n>', `dumps of many (${rounds})`)
    .option('--every <seconds>', `between them (${everySeconds})`)
    .option('--blocking', 'hold the process for each sample of a record: exact stacks, at a price')
    .option(
      '--copy-py-spy',
      'where --py-spy names a file of this machine, copy it to the host for as long as it is used',
    )
    .option('--out <folder>', 'save there; else in ~/.local/share/traintop/captures')
    .option('--json', 'as one JSON object')
    .option('--markdown', 'as Markdown, for an issue report')
    .addHelpText(
      'after',
      `
dump    one look at all threads, without holding the process
native  the same with machine code: the process is held for some hundred milliseconds
many    ${rounds} dumps, ${everySeconds} s apart: what each role was doing
record  ${rate} samples a second for ${seconds} s: a flame graph
gil     who held Python's global lock, and for what part of the time

Exits with 0 when there is a result, also a part of one (which standard error says), 1 when there is none, 2 for a wrong
command line or a host that cannot be reached. Ctrl-C ends it early, and what there is is kept.`,
    )
    .action(async (words: readonly string[], raw: Record<string, unknown>) => {
      const [{ stacks }, { readStacksWish }] = await Promise.all([import('./stacks.ts'), import('./wish.ts')]);
      process.exitCode = await stacks(readStacksWish(words, raw));
    });
}
