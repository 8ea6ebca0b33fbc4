/** Where things are on the demo host. */
export const project = '/workspace/eagle-27b';
/** The log that the run writes. */
export const logPath = `${project}/runs/0612/train.log`;
/** Python's packages. */
export const site = '/opt/venv/lib/python3.11/site-packages';
/** The run's Python. */
export const python = '/opt/venv/bin/python3';
/** Where the demo host has py-spy. */
export const pySpyPath = '/opt/venv/bin/py-spy';
/** What is called so. */
export const pythonExecutable = '/usr/bin/python3.11';

/** The PID of the run that is there when the demo begins. */
export const firstPid = 41_207;
/** Of the shell that the run was started from. */
export const shellPid = 40_988;

/** Frames that many stacks end with, or stand on. */
export const frames = {
  run: ['run', '/usr/lib/python3.11/threading.py', 982],
  bootstrap: ['_bootstrap_inner', '/usr/lib/python3.11/threading.py', 1045],
  wait: ['wait', '/usr/lib/python3.11/threading.py', 327],
  queueGet: ['get', '/usr/lib/python3.11/queue.py', 171],
  queuePut: ['put', '/usr/lib/python3.11/queue.py', 140],
} as const;

/** A frame of the pipeline's own code. */
export const pipeline = (fn: string, line: number) => [fn, `${project}/pipeline/workers.py`, line] as const;

/** Who has given the backward pass to autograd's threads. */
export const backward = [
  ['_engine_run_backward', `${site}/torch/autograd/graph.py`, 829],
  ['backward', `${site}/torch/autograd/__init__.py`, 359],
  ['backward', `${site}/torch/_tensor.py`, 648],
] as const;

/** A rank at the end of its step, in the collective that all of them have to come to. */
export const inAllReduce = [
  ['all_reduce', `${site}/torch/distributed/distributed_c10d.py`, 2810],
  ['wrapper', `${site}/torch/distributed/c10d_logger.py`, 81],
  ['reduce_metrics', `${project}/train_ddp.py`, 166],
  ['train_step', `${project}/train_ddp.py`, 149],
  ['<module>', `${project}/train_ddp.py`, 203],
] as const;

/** Where a GPU is on the PCI bus, as the kernel's log names it: `0000:18:00`. */
export const gpuAddress = (index: number) => `0000:${(0x18 + index * 0x12).toString(16)}:00`;
