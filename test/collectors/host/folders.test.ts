import { expect, test } from 'vitest';
import { foldersOf, folderOf } from '../../../src/collectors/host/folders.ts';
import { madeContext } from '../made-context.ts';

const { options } = madeContext();
const run = (commandLine: readonly string[], cwd = '/work/x') => ({
  ...{ id: '7:1', rootPid: 7, outputs: [{ fd: 1, kind: 'file', path: '/logs/a/train.log' } as const] },
  processes: [{ pid: 7, commandLine, cwd, gpuMinors: [] }],
});
const checkpoints = (commandLine: readonly string[], more: Partial<typeof options> = {}) =>
  foldersOf({ run: run(commandLine), options: { ...options, ...more } }).flatMap(({ path, use }) =>
    use === 'checkpoints' ? [path] : [],
  );

test('without a run there are the shared memory and the temporary files', () => {
  expect(foldersOf({ run: undefined, options }).map(({ path }) => path)).toEqual(['/dev/shm', '/tmp']);
});

test('the run, its logs and its checkpoints, each path once', () => {
  expect(foldersOf({ run: run(['python', 't.py', '--output_dir', 'out/']), options })).toEqual([
    { path: '/dev/shm', use: 'shm' },
    { path: '/tmp', use: 'tmp' },
    { path: '/work/x', use: 'run' },
    { path: '/work/x/out', use: 'checkpoints' },
    { path: '/logs/a', use: 'log' },
  ]);
  expect(foldersOf({ run: run(['python', 't.py', '--output_dir=.']), options })).toHaveLength(4);
});

test.each([
  [['t.py', '--save', '/ckpt/a'], ['/ckpt/a']],
  [['t.py', 'trainer.default_root_dir=runs'], ['/work/x/runs']],
  [['t.py', '--checkpoint-dir', '/c', '--save_path=s3://bucket/x'], ['/c']],
  [['t.py', '--save', '--save_steps', '500'], []],
  [['t.py', '--output_dir', '~/x'], []],
  [['t.py', '--output_dir', '/a\n/b'], []],
])('a command line names folders: %j', (commandLine, found) => {
  expect(checkpoints(commandLine)).toEqual(found);
});

test('the log names others, and the user has the last word', () => {
  expect(checkpoints(['t.py'], { savedTo: ['runs/1', '/y'] })).toEqual(['/work/x/runs/1', '/y']);
  expect(checkpoints(['t.py', '--save', '/z'], { savedTo: ['/y'], checkpoints: ['/mine'] })).toEqual(['/mine']);
});

test('there are never many', () => {
  const savedTo = Array.from({ length: 40 }, (_, i) => `/c${i}`);
  expect(foldersOf({ run: run(['t.py']), options: { ...options, savedTo } })).toHaveLength(12);
});

test('a checkpoint is in a folder', () => {
  expect(['/a/b/step-5', 'runs/c/step.pt', '/ckpt', 'x', '/a/b/'].map(folderOf)).toEqual([
    '/a/b',
    'runs/c',
    '/ckpt',
    '.',
    '/a',
  ]);
});
