import type { Threshold } from './thresholds.ts';

/** Borders of the rules for one GPU, a part of `thresholds`. */
export const gpuThresholds = {
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
  hardlyAnything: {
    value: 15,
    because:
      'even the small layers of a real model cover a fifth of the SMs; below it there is next to no work in each kernel',
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
  allocatorCalls: {
    value: 2,
    because:
      'a caching allocator answers from its lists in a microsecond: where two looks of a hundred find it at work, it asks the driver or is emptied in every step',
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
  backwardMuch: {
    value: 40,
    because:
      'with two fifths of a core for the backward pass, and as much for the forward pass, no tenth of the time is left for waits',
  },
  backwardSome: {
    value: 15,
    because: 'a step of waits is still a step: its backward pass is launched too, and takes a part that can be seen',
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
  gilTaken: {
    value: 70,
    because: 'backward passes run without the lock, and launches let go of it again and again; plain Python keeps it',
  },
  gilFree: { value: 50, because: 'a lock that is free half of the time is no bottleneck' },
  mostLooks: { value: 50, because: 'more often than not' },
  twoPhases: {
    value: 25,
    because:
      'what goes on for the whole window is as busy in its last half: a quarter more or less is a run that begins, stops or changes',
  },
  stacksSome: {
    value: 15,
    because: 'of forty looks and more six are no chance: it is a part of every step',
  },
  stacksMany: {
    value: 30,
    because: 'of ten to a hundred looks a third is no chance: the time for it is at least a fifth',
  },
  stacksMost: { value: 50, because: 'half of all looks: it is what the thread does' },
  stacksOfSync: {
    value: 10,
    because:
      'after each wait the GPU has nothing until the next launch, so a tenth of the time in waits costs twice that; a step needs none of them',
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
  lightCopies: {
    value: 1000,
    because: 'at what links and drivers reach this takes 2 to 17 % of the time: copies do not set the pace',
  },
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
