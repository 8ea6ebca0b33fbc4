import { describe, expect, test } from 'vitest';
import { roleFinder } from '../../../src/model/roles/finder.ts';
import { roleOf } from '../../../src/model/roles/role-of.ts';
import { roleOfStack } from '../../../src/model/roles/stack-roles.ts';

describe('the role by names', () => {
  test.each([
    ['target-3', 'pt_main_thread', 'target'],
    ['queue worker (1)', 'python3', 'queue worker'],
    ['hs_pack_12', 'python3', 'hs_pack'],
    ['loader:4', 'python3', 'loader'],
    ['MainThread', 'python3', 'main'],
    ['metrics', 'python3', 'metrics'],
    ['Thread-5', 'python3', undefined],
    ['Thread-5 (serve)', 'python3', 'serve'],
    ['Thread-5 (run)', 'python3', undefined],
    ['ThreadPoolExecutor-0_3', 'python3', 'thread pool'],
    ['loader_3', 'python3', 'loader'],
    ['QueueFeederThread', 'python3', 'queue feeder'],
    ['pin-memory', 'pt_data_pin', 'pin memory'],
    [undefined, 'pt_autograd_1', 'autograd'],
    [undefined, 'pt_nccl_watchdg', 'nccl watch'],
    [undefined, 'pt_nccl_heartbt', 'nccl watch'],
    [undefined, 'cuda-EvtHandlr', 'cuda events'],
    [undefined, 'cuda00001400006', 'cuda'],
    [undefined, 'tokio-rt-worker', 'tokio'],
    [undefined, 'pt_main_thread', undefined],
    [undefined, 'python3', undefined],
    // Python 3.14 gives its names to the kernel.
    [undefined, 'hidden_state_re', 'hidden_state_re'],
    [undefined, 'drafter-2', 'drafter'],
    [undefined, 'QueueFeederThre', 'QueueFeederThre'],
  ])('%s / %s is %s', (name, comm, role) => {
    expect(roleOf({ name, comm, mainComm: 'pt_main_thread' })).toBe(role);
  });

  test('a comm that all threads of a worker inherit is that of its main thread alone', () => {
    const worker = { comm: 'pt_data_worker', mainComm: 'pt_data_worker' };
    expect(roleOf({ ...worker, name: 'MainThread', isMain: true })).toBe('data worker');
    expect(roleOf({ ...worker, name: 'QueueFeederThread', isMain: false })).toBe('queue feeder');
    expect(roleOf({ ...worker, isMain: false })).toBeUndefined();
  });

  test('a rule comes before all, a stack before names that Python gives by itself', () => {
    const thread = { name: 'target-1', comm: 'pt_autograd_0', learnt: { rule: 'mine', stack: 'tokenizer' } };
    expect(roleOf(thread)).toBe('mine');
    expect(roleOf({ ...thread, learnt: { stack: 'tokenizer' } })).toBe('autograd');
    expect(roleOf({ name: 'target-1', learnt: { stack: 'tokenizer' } })).toBe('target');
    expect(roleOf({ name: 'Thread-4', learnt: { stack: 'tokenizer' } })).toBe('tokenizer');
    expect(roleOf({ name: 'MainThread', isMain: true, learnt: { stack: 'data worker' } })).toBe('data worker');
    expect(roleOf({ comm: 'python3', mainComm: 'python3', learnt: { stack: 'native' } })).toBe('native');
  });

  test.each([
    [['python3', '-c', 'from multiprocessing.resource_tracker import main;main(7)'], 'resource tracker'],
    [['python3', '-c', 'from multiprocessing.forkserver import main; main(3)'], 'fork server'],
    [['python3', '/x/site-packages/torch/_inductor/compile_worker/__main__.py', '--workers=32'], 'compile worker'],
    [['/usr/bin/python3', '/usr/local/bin/torchrun', '--nproc-per-node=8', 'train.py'], 'launcher'],
    [['python3', '-m', 'torch.distributed.run', 'train.py'], 'launcher'],
    [['python3', 'train.py', '--note', 'torch.distributed.run'], 'main'],
  ])('the main thread of %j is %s', (commandLine, role) => {
    expect(roleOf({ name: 'MainThread', isMain: true, comm: 'python3', process: { commandLine } })).toBe(role);
  });
});

describe('the role by a stack', () => {
  const frames = (...all: readonly (readonly [string, string])[]) =>
    all.map(([name, file]) => ({ function: name, file, ...(/\.so/.test(file) && { native: true as const }) }));
  const site = '/v/lib/python3.12/site-packages';
  test.each([
    [
      'data worker',
      true,
      [
        ['__getitem__', 'my.py'],
        ['_worker_loop', `${site}/torch/utils/data/_utils/worker.py`],
      ],
    ],
    ['pin memory', false, [['_pin_memory_loop', `${site}/torch/utils/data/_utils/pin_memory.py`]]],
    [
      'checkpoint',
      false,
      [
        ['_save', `${site}/torch/serialization.py`],
        ['_worker', '/usr/lib/python3.12/concurrent/futures/thread.py'],
      ],
    ],
    // A main thread that writes a checkpoint is the main thread.
    [
      undefined,
      true,
      [
        ['_save', `${site}/torch/serialization.py`],
        ['main', 'my.py'],
      ],
    ],
    [
      'tokenizer',
      false,
      [
        ['encode_batch', `${site}/tokenizers/implementations/base_tokenizer.py`],
        ['run', '/usr/lib/python3.12/concurrent/futures/thread.py'],
        ['_worker', '/usr/lib/python3.12/concurrent/futures/thread.py'],
        ['run', `${site}/sentry_sdk/integrations/threading.py`],
        ['_bootstrap', '/usr/lib/python3.12/threading.py'],
      ],
    ],
    // What the run's own code calls is work in passing.
    [
      undefined,
      false,
      [
        ['encode_batch', `${site}/tokenizers/implementations/base_tokenizer.py`],
        ['feed', 'my.py'],
        ['run', '/usr/lib/python3.12/threading.py'],
      ],
    ],
    // py-spy shortens the paths of a record.
    [
      'thread pool',
      false,
      [
        ['load', 'my.py'],
        ['run', 'concurrent/futures/thread.py'],
        ['_worker', 'concurrent/futures/thread.py'],
        ['run', 'threading.py'],
      ],
    ],
    // A process that was forked has the stack of who forked it.
    [
      'pool worker',
      true,
      [
        ['work', '/w/train.py'],
        ['worker', '/usr/lib/python3.12/multiprocessing/pool.py'],
        ['run', '/usr/lib/python3.12/multiprocessing/process.py'],
        ['_bootstrap', '/usr/lib/python3.12/multiprocessing/process.py'],
        ['_launch', '/usr/lib/python3.12/multiprocessing/popen_fork.py'],
        ['<module>', '/w/train.py'],
      ],
    ],
    [
      'launcher',
      true,
      [
        ['run', `${site}/torch/distributed/run.py`],
        ['_invoke_run', `${site}/torch/distributed/elastic/agent/server/api.py`],
        ['<module>', '/usr/local/bin/torchrun'],
      ],
    ],
    [
      'fork server',
      true,
      [
        ['select', '/usr/lib/python3.12/selectors.py'],
        ['main', '/usr/lib/python3.12/multiprocessing/forkserver.py'],
        ['<module>', '<string>'],
        ['0x7f18c882a1ca', '/usr/lib/x86_64-linux-gnu/libc.so.6'],
      ],
    ],
    ['compile worker', true, [['main', `${site}/torch/_inductor/compile_worker/__main__.py`]]],
    [
      'queue feeder',
      false,
      [
        ['wait', '/usr/lib/python3.12/threading.py'],
        ['_feed', '/usr/lib/python3.12/multiprocessing/queues.py'],
      ],
    ],
    [
      'thread pool',
      false,
      [
        ['get', 'queue.py'],
        ['_worker', '/usr/lib/python3.12/concurrent/futures/thread.py'],
      ],
    ],
    ['nccl watch', false, [['c10d::ProcessGroupNCCL::Watchdog::runLoop()', 'libtorch_cuda.so']]],
    ['autograd', false, [['torch::autograd::python::PythonEngine::thread_init(int)', 'libtorch_python.so']]],
    ['launcher', true, [['_invoke_run', `${site}/torch/distributed/elastic/agent/server/api.py`]]],
    [
      undefined,
      false,
      [
        ['spin', '/workspace/scenarios.py'],
        ['run', '/usr/lib/python3.12/threading.py'],
      ],
    ],
    [undefined, false, []],
  ] as const)('%s (main %s)', (role, isMain, stack) => {
    expect(roleOfStack(frames(...stack), isMain)).toBe(role);
  });

  test.each([
    ['the main thread', true],
    ["a thread of the run's own", false],
  ])('%s in a backward pass is not autograd', (_, isMain) => {
    // On an H200 (PyTorch 2.11): it works off its own queue, as autograd's threads do.
    const stack = frames(
      ['pthread_cond_wait', '/usr/lib/x86_64-linux-gnu/libc.so.6'],
      ['torch::autograd::ReadyQueue::pop', `${site}/torch/lib/libtorch_cpu.so`],
      ['torch::autograd::Engine::thread_main', `${site}/torch/lib/libtorch_cpu.so`],
      ['torch::autograd::Engine::execute_with_graph_task', `${site}/torch/lib/libtorch_cpu.so`],
      ['THPEngine_run_backward', `${site}/torch/lib/libtorch_python.so`],
      ['_engine_run_backward', `${site}/torch/autograd/graph.py`],
      ['loop', '/work/scenarios.py'],
      ...(isMain ? [] : [['run', '/usr/lib/python3.12/threading.py'] as const]),
      ['0x7f18c882a1ca', '/usr/lib/x86_64-linux-gnu/libc.so.6'],
    );
    expect(roleOfStack(stack, isMain)).toBeUndefined();
    const [name, tid] = isMain ? (['MainThread', 5] as const) : (['Thread-3', 6] as const);
    const asked = { pid: 5, tid, name, frames: stack };
    expect(roleFinder({ threadNames: new Map(), threadRoles: new Map() })(asked)).toBe(isMain ? 'main' : undefined);
  });
});
