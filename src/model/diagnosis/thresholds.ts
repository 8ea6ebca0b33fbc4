/** A border between two meanings of a signal. */
export interface Threshold {
  readonly value: number;
  /** The physical reason: why there and not elsewhere. */
  readonly because: string;
}

/** All borders that rules use, each once: none is fitted to one recording. */
export const thresholds = {
  busy: {
    value: 80,
    because:
      'a GPU that is fed always has a kernel in nearly every sample period of the driver (a sixth of a second to a second)',
  },
  notBusy: {
    value: 80,
    because: 'below it a fifth of the sample periods had no kernel: something else than the GPU sets the pace',
  },
  spinPower: {
    value: 15,
    because:
      'a kernel that only asks a flag again and again draws 1 to 3 % of the way from idle to the limit where clocks stay up, and up to 15 % where an idle GPU clocks down; work that moves memory or computes takes a third and more',
  },
  spinSms: {
    value: 25,
    because:
      'the kernel of a collective that waits holds one SM a channel, of which NCCL takes up to 32: 1 to 24 % of 132 SMs',
  },
  spinTensor: {
    value: 1,
    because: 'a kernel that waits never uses the tensor cores; shares are rounded to whole percents',
  },
  idle: {
    value: 5,
    because: 'a kernel that runs once in some sample periods, of a driver or a watchdog, is no work of the run',
  },
  silentPauses: {
    value: 3,
    because: 'the longest usual pause of a log came several times; one three times as long is something else',
  },
  silentLong: {
    value: 6,
    because: 'a step that is slow for once is two or three steps long, not six',
  },
  silentSeconds: {
    value: 3,
    because: 'stamps of whole seconds, output that is written in blocks and the way to us hide a pause of two seconds',
  },
  stalledSeconds: {
    value: 10,
    because:
      'the collector of Python, a full disk cache or a worker that is started again hold a run up for some seconds, and it goes on',
  },
  one: { value: 1, because: 'there is at least one' },
  none: { value: 0, because: 'there is none' },
  spins: {
    value: 80,
    because: 'a thread that asks the driver again and again whether the GPU is done has a core for itself',
  },
  sleeps: {
    value: 20,
    because: 'a thread that waits to be woken uses no CPU; looks around it and its heartbeat take a few percent',
  },
  allBusy: {
    value: 90,
    because: 'a GPU that waits in a collective has a kernel all the time, and shows 100 % but for the steps between',
  },
  waitingPower: {
    value: 75,
    because:
      'GPUs that work all of a step draw nearly their limit on average; one that waits a quarter of it or more, less',
  },
  behind: {
    value: 15,
    because: 'ranks of one job do the same work: 15 points of utilization between them are seconds of a step, no noise',
  },
  someIdle: {
    value: 10,
    because: 'a GPU that is fed has no empty sample periods; one in ten is a wait in every step',
  },
  mostly: { value: 70, because: 'more than two thirds of the readings: it is so all the time but for moments' },
  waits: {
    value: 75,
    because: 'a GPU that waits at a queue for a quarter of the time is not what sets the pace',
  },
  gapOfSides: {
    value: 20,
    because: 'of two sides of a queue the slow one is full: its GPUs show a fifth more than those that wait for it',
  },
  fewWork: {
    value: 15,
    because: 'at most one of eight GPUs: the others wait for what it does',
  },
  someWork: { value: 20, because: 'at least two of eight GPUs, or one of two: the run computes' },
  nearlyAll: { value: 90, because: 'all but one of ten GPUs and more, else all' },
  saves: {
    value: 50,
    because: 'a log and metrics are some KB/s; weights and optimizer are written as fast as storage takes them',
  },
  loads: {
    value: 50,
    because: 'weights are read as fast as storage gives them; a loader of tokens reads some MB/s',
  },
  quiet: { value: 5, because: 'a log, metrics and traces together are below it' },
  youngRun: {
    value: 1200,
    because:
      'imports, weights, compiling and the first batch take seconds to some minutes; after twenty it is no start',
  },
  pauseEnds: {
    value: 1800,
    because: 'checkpoints and evaluations take seconds to minutes; what was said half an hour ago explains no silence',
  },
  // Of the rules for one GPU.
  anyWork: {
    value: 1,
    because:
      'readings are whole percents: below one there was no step at all, and what has no steps is not slow but stands',
  },
  nearlyAlways: {
    value: 90,
    because:
      'above it the gaps between kernels are a tenth of the time at most: filling them would win no more than that',
  },
  realWork: {
    value: 25,
    because:
      'waiting kernels end at 15 % of the way to the limit; kernels that compute or move memory on most SMs take a third of it and more',
  },
  highPower: {
    value: 65,
    because:
      'matrix work without gaps runs into the power limit; gaps of a third of the time would take a third of the power',
  },
  halfOfSms: {
    value: 50,
    because:
      'a wait in a collective holds a quarter of the SMs at most; work that mixes with such waits half of the time has half',
  },
  noGaps: {
    value: 85,
    because: 'kernels large enough to fill a GPU leave only their last wave of blocks partly empty: some percent each',
  },
  bigKernels: {
    value: 50,
    because: 'while a kernel with enough blocks runs, most SMs have one; it is the time between kernels that is empty',
  },
  thinKernels: {
    value: 40,
    because:
      'a kernel of a few microseconds has few blocks or ends before all SMs have theirs: most stay empty while it runs',
  },
  dramFull: {
    value: 60,
    because:
      'real access patterns reach 60 to 90 % of the peak of HBM; matrix work from caches and registers stays at about 35 %',
  },
  controllerFull: {
    value: 75,
    because:
      'utilization.memory counts time with any traffic: 45 % under matrix work, near 100 % where memory is the limit',
  },
  tensorLow: {
    value: 25,
    because:
      'matrix work that computes keeps tensor cores active for 40 % of the time and more; a quarter of the time is too little',
  },
  fewTurns: {
    value: 1,
    because:
      'a caching allocator keeps what it took: memory in use grows to its peak in the first steps and stays there',
  },
  manyTurns: {
    value: 3,
    because:
      'an evaluation or a checkpoint takes memory and gives it back once: two turns in ten seconds, not three and more',
  },
  stacksOfAllocator: {
    value: 8,
    because:
      'a caching allocator answers from its lists in a microsecond: where looks find it at work, it asks the driver',
  },
  kernelTime: {
    value: 15,
    because: 'launches are writes to mapped memory and take no system time; mapping and freeing device memory does',
  },
  mainFull: {
    value: 70,
    because: 'a thread that waits for a batch or for data sleeps; one with so much CPU computes (or polls the driver)',
  },
  backwardPart: {
    value: 30,
    because:
      'the backward pass launches one to two kernels for each of the forward pass: where launching is all, its thread has a third to two thirds of the time',
  },
  feedFull: {
    value: 80,
    because: 'the training and the autograd thread take turns: where they launch all the time they add up to one core',
  },
  feedBusy: { value: 60, because: 'waiting for the device polls, so it takes CPU as launching does' },
  feedIdle: {
    value: 60,
    because: 'for two fifths of the time at least nobody launches kernels: the threads that do wait for something else',
  },
  processIdle: {
    value: 80,
    because: 'with less than one core in all there are times in which no thread of the process computes',
  },
  starved: {
    value: 55,
    because: 'one lock and one rival that never waits leave the training thread half of the time, more rivals less',
  },
  rivalsPart: {
    value: 30,
    because:
      'a rival that wants the lock all the time has a third of it at least against two others; less hardly delays anybody',
  },
  nearOneCore: {
    value: 25,
    because:
      'one thread at a time runs Python, so all add up to one core; what lets go of the lock (system calls, kernels) adds some of a second',
  },
  gilByOthers: {
    value: 40,
    because:
      'who asks for the lock at any time then finds it taken two times in five, and waits 5 ms (the switch interval) for each',
  },
  gilFree: { value: 50, because: 'a lock that is free half of the time is no bottleneck' },
  mostLooks: { value: 50, because: 'more often than not' },
  stacksMany: {
    value: 30,
    because: 'of ten to a hundred looks a third is no chance: the time for it is at least a fifth',
  },
  stacksMost: { value: 50, because: 'half of all looks: it is what the thread does' },
  stacksOfSync: {
    value: 20,
    because:
      'a fifth of the time in waits: without them a launch-bound step would be a fifth faster, and its kernels overlap',
  },
  sleepsMuch: {
    value: 30,
    because: 'a third of the looks at its wait: the thread sleeps for a fifth of the time at least',
  },
  mostWorkers: {
    value: 50,
    because: 'batches are made by workers in turn: where half of them never wait, the loader is behind its reader',
  },
  fewWorkers: { value: 20, because: 'workers that wait for a disk use no CPU meanwhile' },
  workersOnDisk: {
    value: 25,
    because:
      'reads from the page cache never show as D: one look in four means that the disk is waited for again and again',
  },
  pressure: {
    value: 20,
    because: 'some task waited for a fifth of the time: PSI is near 0 where a resource is enough',
  },
  diskFull: { value: 80, because: 'a disk that nearly always has a request has a queue' },
  heavyCopies: {
    value: 4000,
    because:
      'copies from pageable memory reach some 6 GB/s and pinned ones 12 (PCIe 3) to 50 (PCIe 5): 4 GB/s on average is most of the time of the first and a tenth to a third of the others, where batches take tens of MB/s',
  },
  oftenSlowed: {
    value: 30,
    because: 'a reason that comes and goes costs in proportion: below a third of the time little',
  },
  clockDown: {
    value: 85,
    because:
      'under the usual power limit clocks stay above nine tenths of the maximum; below 85 % every kernel takes a sixth longer',
  },
  clockFarDown: {
    value: 65,
    because:
      'power goes with clock and voltage squared: at the usual limit a GPU loses up to a quarter of its clock (PCIe cards), at two thirds the limit is about half of what the card is made for',
  },
  cpuDenied: {
    value: 20,
    because: 'a thread that is ready gets an idle core at once; a fifth of the time without one delays every launch',
  },
  someCores: { value: 2, because: 'daemons and a monitor use less than two cores' },
  coresFull: {
    value: 90,
    because: 'some cores are left idle by the scheduler even when more threads than cores are ready',
  },
  limitReached: {
    value: 95,
    because: 'the scheduler stops a cgroup when its quota of a period is used up: at the limit it is stopped',
  },
} as const satisfies Readonly<Record<string, Threshold>>;

/** The name of one. */
export type ThresholdName = keyof typeof thresholds;
