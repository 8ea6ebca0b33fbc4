import { situationWords } from '../model/diagnosis/words.ts';
import { situations } from '../model/situations.ts';
import { panels } from './panels/index.ts';
import type { PanelId } from './panels/panel.ts';

/** A figure, word or mark of the screen, and what it says. */
export interface LegendEntry {
  /** As it stands on the screen. */
  readonly term: string;
  readonly text: string;
}

/** What the figures say, panel by panel, in the panels' order; those of all panels come last. The help and docs/keys.md are made of it. */
export function legendGroups(): readonly { readonly title: string; readonly entries: readonly LegendEntry[] }[] {
  return [
    ...panels.map(({ id, digit, title }) => ({ title: `${digit} ${title}`, entries: legend[id] })),
    { title: 'Headline', entries: headline },
    { title: 'Alarms', entries: alarms },
    { title: 'All panels', entries: everywhere },
    { title: 'Recording', entries: recording },
  ];
}

const verdictLetters = () =>
  situations.map((name) => `${situationWords[name].letter} ${situationWords[name].short}`).join(', ');

const legend: Readonly<Record<PanelId, readonly LegendEntry[]>> = {
  gpus: [
    {
      term: 'ROLE ×5',
      text: 'what GPUs are for, as you say (--target-gpus, --gpu-role, config.toml), and what those of a role do together: mean use, sums of memory and power, highest temperature',
    },
    {
      term: 'SM OCC',
      text: "the GPU's own counters (Hopper and later), means of 10 s, where there is room (120 columns or zoom): SMs with work on them, and how full of warps they are. UTIL is 100% also where a kernel only waits: SM is then about 18%",
    },
    {
      term: 'TENSOR DRAM',
      text: 'the same: time in which the tensor cores worked, and in which the memory moved data; wider still, PCIE and NVLINK: bytes a second, received and sent together',
    },
    {
      term: 'HELD BY',
      text: 'who works on it: the rank in the run (r0), or a PID where there is none; 4211+2 = two more',
    },
    {
      term: 'THROTTLE',
      text: 'what limits the clocks, in the words of nvidia-smi: power cap = at its power limit, usual under load; sw thermal, hw thermal = too hot; hw slowdown, power brake = heat or power supply; others: app clocks, sync boost, display clock',
    },
    {
      term: '63°* 63°!',
      text: 'several GPUs a row: * = something limits it (zoom says what), ! = heat, power supply or a fault',
    },
  ],
  throughput: [
    { term: 'generic', text: 'on the edge: the log format that the values were read with' },
    { term: '1 min, 15 min', text: 'means of what was printed in the last minute, and in the last quarter of an hour' },
    {
      term: 'best 14.7K 98%',
      text: 'the highest since the run is watched, with its log before, and what share of it the newest is',
    },
    { term: 'baseline', text: 'what --baseline says, and how far the last minute is from it' },
    {
      term: '~2.03s',
      text: 'not printed, but worked out: from the times of the steps, --batch-tokens, a count of tokens',
    },
    {
      term: 'ETA',
      text: 'as printed, less the time since; else the steps that are left, at the step time; epoch ETA: of this epoch',
    },
    { term: 'restarted', text: 'the step fell: the run began anew, or went back to a checkpoint' },
    {
      term: 'verdict',
      text: `which verdict stood first when, over the time of the graph above; blank: none was told; in few cells a letter: ${verdictLetters()}`,
    },
    {
      term: 'left labels',
      text: "a graph's highest value, its name, the span of time from left to right (1m 48s), and its lowest; y: log scale",
    },
  ],
  queues: [
    {
      term: '7/16',
      text: 'under OF: depth and capacity, as printed, or taken from a range [7-16] whose end never moves',
    },
    { term: '~29/60', text: 'the middle of the printed range, and the capacity' },
    { term: '7/?', text: 'no capacity is known: the bar is full at the highest depth seen' },
    { term: 'MIN-MAX', text: 'lowest and highest of the last 16 readings' },
    { term: '↑ → ↓', text: 'mean of the last 4 readings against that of up to 12 before' },
    { term: 'near full', text: 'from 90 % of the capacity on; near empty: up to 10 %' },
    {
      term: 'consumer slow',
      text: 'full in the mean of 4 readings: the producer waits for the consumer; producer slow: empty, and the other way round',
    },
    {
      term: 'SHARE',
      text: "a stage's part of the times of all stages (average, by how often it ran); OF THE STEP: of the step's time",
    },
    { term: 'CHANGE', text: "of a stage's average, since the print before" },
    { term: '▇▇▄▄▇', text: 'the stages as parts of one bar, where there are no rows for each' },
  ],
  threads: [
    { term: 'RANK r0', text: "the rank of the thread's process" },
    {
      term: 'NAME, COMM',
      text: "NAME: Python's name, once a dump (d) gave it, else the kernel's (comm, 15 bytes); COMM: the kernel's, where it tells more",
    },
    {
      term: 'ROLE',
      text: 'what a thread is for: by your rules (config.toml), by the name that a library or the program gave it, else by its stack; native = no Python thread, such as a pool of BLAS or OpenMP; unnamed = nothing tells',
    },
    {
      term: '+ - name',
      text: 'before a name: the thread came, or ended, in the last five seconds; +2 -1 on the edge: how many',
    },
    {
      term: '▸ ×8',
      text: 'threads in a group (g); Enter opens it. CPU% is their sum, bar and graph are the mean of those that are not idle, WAIT% is the highest',
    },
    { term: '▇▇▇▄▄··', text: 'CPU time: high = user, low = system; the whole width is one core, as 100 under CPU%' },
    { term: 'WAIT%', text: 'share of the time that it was ready to run, but waited for a core' },
    {
      term: 'S',
      text: 'state: R runs or waits for a core, S sleeps, D sleeps without a way to interrupt it (mostly disk), T stopped, t traced, Z zombie, X dead, I idle in the kernel',
    },
    { term: 'CORE', text: 'the core it last ran on; ! = far from the GPU of its process (another node of memory)' },
    {
      term: 'WAITS IN',
      text: 'the system call, or the function of the kernel, that it sleeps in, and for how long it did not run; > = or longer, nobody saw it begin; dim, without a time: just then, it runs now and then',
    },
    { term: '60 s', text: 'CPU% of the last minute, full height at 100' },
    { term: 'idle', text: 'did nothing for a minute' },
  ],
  log: [
    { term: 'E W •', text: 'an error, a warning, another event: a checkpoint, an evaluation, the end of an epoch' },
    { term: '│', text: 'before a line: it belongs to the record above, as those of a traceback do' },
    { term: 'in colour', text: 'what was read from the line; all others are only text' },
    {
      term: 'megatron',
      text: 'on the edge: the format that the log is read with; 3 errors: among the lines that are kept',
    },
    {
      term: '/text 3 of 17',
      text: 'what is sought, and which match the cursor is on; &text 12: the filter, and the lines of its records',
    },
    { term: '↑ 120 lines', text: 'scrolled back so far; F, G and End follow the log again' },
    { term: '→ 60', text: 'so many cells of long lines are scrolled out at the left' },
  ],
  host: [
    { term: 'MEM … (limit)', text: "the cgroup's limit, where there is one, in place of the host's memory" },
    {
      term: 'WAITS',
      text: 'pressure (PSI): share of the last 10 s in which some task waited for a core, for memory, for I/O',
    },
    {
      term: 'DISK, RUN',
      text: 'what all disks read and write, and how busy the busiest is; what the run reads from and writes to storage',
    },
    {
      term: 'COST',
      text: 'what traintop itself costs the host, sshd included: mean of 30 s in percent of one core, memory, processes (seven or eight a source, nearly all of them shells that wait)',
    },
    {
      term: 'NEIGHBOURS',
      text: 'the busiest threads that are not of the run, every 10 s; beyond 300 threads less often, to 60 s',
    },
  ],
};

const headline: readonly LegendEntry[] = [
  {
    term: '● ▸ ▼ ▲ ○',
    text: 'the situation before all others (w says why): as fast as the GPUs are, what every run does at times, slower than it could be, no good, not known',
  },
  {
    term: 'sure, likely',
    text: 'how much of the evidence that its rule asks for is there and speaks for it: sure from 75 % on, likely from 50 %, else perhaps',
  },
  { term: 'for 1m 12s', text: 'since when it holds; dimmed, 40s old: nothing new was told for so long' },
  { term: '+2 more', text: 'other situations that hold too' },
];

const alarms: readonly LegendEntry[] = [
  {
    term: '▲ 1 CRITICAL',
    text: 'in the header: how many of the worst alarms ring (▲ critical, ▼ warning, ● note), +2 of others, until they were seen (a); then ▲ 3 seen',
  },
  {
    term: '▲ 03:12:07 …',
    text: 'below the headline: the newest critical alarm that was not seen, since when it rings, how many more there are',
  },
];

const everywhere: readonly LegendEntry[] = [
  { term: '–', text: 'the host or the log gives no value' },
  {
    term: 'dimmed rows',
    text: 'old values; the edge says why and how old the newest is: stale · 12s old, failed, no run; 28s old alone: the log is followed, and has said nothing for about three times its usual pause',
  },
];

const recording: readonly LegendEntry[] = [
  { term: '● rec', text: 'what is seen goes into a recording; not recorded: why not, in few words' },
  { term: 'REPLAY', text: 'a recording is played: all of the screen is as it was at the time below the panels' },
  {
    term: '├━━●──┤',
    text: 'the whole of it: heavy = played, a gap = nothing was recorded, ● = shown, ○ = a seek goes there; ◂ ▸ at its ends: a loop',
  },
  { term: '▲ ▼ ┴ ■', text: 'on it: a fault, a warning, another event, a mark; [ and ] go to them' },
];
