import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createLogReader, type Piece } from '../../../../src/collectors/log/reader.ts';
import { describeWith } from '../../../support/requires.ts';

/** What Python and its logging print of exceptions that are caught, chained, in threads, processes and tasks. */
const program = `
import asyncio, logging, multiprocessing, sys, threading, traceback, warnings
logging.basicConfig(level=logging.INFO, stream=sys.stderr, format='%(asctime)s %(levelname)s %(name)s: %(message)s')
log = logging.getLogger('train')
log.info('step %d loss %.3f', 1, 2.5)
class Odd(Exception): pass
def lost(): return {}['q']
def full(): raise OSError(28, 'No space left on device')
async def slow(): raise TimeoutError('slow')
async def main():
    task = asyncio.create_task(slow()); await asyncio.sleep(.05)
try: lost()
except Exception: log.exception('the batch could not be read')
try:
    try: lost()
    except KeyError as error: raise RuntimeError('a stage has failed') from error
except Exception: traceback.print_exc()
thread = threading.Thread(target=full); thread.start(); thread.join()
process = multiprocessing.get_context('fork').Process(target=full); process.start(); process.join()
asyncio.run(main())
warnings.warn('old', DeprecationWarning)
log.info('step %d loss %.3f', 2, 2.4)
raise Odd
`;

describeWith(['python3'], 'what programs print when they fail', () => {
  test('Python', () => {
    const lines = output('python3', ['-c', program]);
    const records = read(lines);
    expect(
      records.flatMap(({ event }) => (event ? [{ kind: event.kind, exception: event.details?.['exception'] }] : [])),
    ).toEqual(
      ['KeyError', 'KeyError', 'RuntimeError', 'OSError', 'OSError', 'TimeoutError', 'Odd'].flatMap((name) => {
        const exception = name === 'Odd' ? expect.stringMatching(/Odd$/) : name;
        return [
          { kind: 'traceback', exception },
          { kind: 'exception', exception },
        ];
      }),
    );
    expect(records.flatMap(({ values }) => values?.loss ?? [])).toEqual([2.5, 2.4]);
    // Not one line of a traceback is a record of its own.
    expect(records.filter(({ pieces }) => /^ {2}File/.test(pieces[0]?.text ?? ''))).toEqual([]);
  });

  test('a shell whose programs die', () => {
    const lines = output('bash', [
      '-c',
      "sleep 30 & kill -9 $!; wait $!\n(kill -SEGV $BASHPID)\npython3 -c 'import os; os.kill(os.getpid(), 6)'\npython3 -X faulthandler -c 'import ctypes; ctypes.string_at(0)'\ntrue",
    ]);
    const told = read(lines).flatMap(({ event }) =>
      event ? [[event.kind, event.details?.['signal'] ?? event.details?.['message']]] : [],
    );
    expect(told).toEqual([
      ['rank_exit', 'SIGKILL'],
      ['rank_exit', 'SIGSEGV'],
      ['rank_exit', 'SIGABRT'],
      ['exception', 'Segmentation fault'],
      ['rank_exit', 'SIGSEGV'],
    ]);
  });
});

/** What it printed to both outputs, whatever became of it. */
function output(command: string, args: readonly string[]): readonly string[] {
  const shell = 'ulimit -c 0; "$@" 2>&1; true';
  const env = { ...process.env, LC_ALL: 'C', PYTHONUNBUFFERED: '1' };
  return execFileSync('bash', ['-c', shell, 'sh', command, ...args], { encoding: 'utf8', env }).split('\n');
}

function read(lines: readonly string[]) {
  const reader = createLogReader<Piece>();
  return [...lines.flatMap((text) => reader.push({ text })), ...reader.flush()];
}
