/** What a run does beside its steps, as words of its log tell it. */
export type Course = 'checkpoint' | 'evaluation' | 'warmup' | 'error';

/** Words of a course. */
interface CourseWords {
  readonly course: Course;
  readonly words: RegExp;
  /** With these it is something else. */
  readonly not?: RegExp;
  /** Why it takes time without a step. */
  readonly because: string;
}

/** Settings that are printed name all of these: `eval_steps=500`, `warmup: 100 steps`, `--save-interval 1000`. */
const settings = /\w[=]\s*\S|--\w|\b(?:steps|interval|every|ratio|schedule[dr]?|enabled|disabled|config\w*|args?)\b/i;

/** What lines without figures say; the first that fits counts. */
const courseWords: readonly CourseWords[] = [
  {
    course: 'error',
    words:
      /^\W*(?:killed|terminated|aborted|hangup)\W*$|segmentation fault|bus error|core dumped|\bCUDA error\b|illegal memory access|device-side assert|unspecified launch failure|\bwatchdog\b.{0,60}\b(?:time ?out|timed out|terminat)|\bterminate called\b/i,
    because: 'a process that was killed, or a context that is broken, takes no further step',
  },
  {
    course: 'warmup',
    words:
      /\b(?:loading|loaded|load|reading|downloading|fetching|restoring|restored|resuming|resumed|importing|initiali[sz]ing)\b.{0,60}\b(?:weights?|check-?points?|ckpt|shards?|models?|tokenizer|datasets?|corpus|state|safetensors|parameters|adapters?|pipeline|vocab\w*|from (?:step|iteration|epoch)|at (?:step|iteration|epoch)|process group|distributed|mesh|engine|optimizer)\b/i,
    not: /\b(?:sav(?:ed|ing)|eval\w*|validation)\b|\bbest (?:model|check-?point)\b/i,
    because: 'weights come from storage and go to the GPUs before the first step',
  },
  {
    course: 'warmup',
    words:
      /\b(?:re-?)?compil(?:e|ing|ation)\b|\bautotun\w+|\btorch\.compile\b|\b(?:torch)?inductor\b|\b(?:lowering|jitting|tracing) (?:the )?(?:model|graph|function|step)|\bbuilding (?:extension|kernels?|engine)|\bninja\b/i,
    not: settings,
    because: 'kernels are built the first time that a shape is met: tens of seconds to minutes on CPUs',
  },
  {
    course: 'warmup',
    words:
      /\bcaptur(?:e|ing)\b.{0,40}\bgraphs?\b|\bcuda ?graphs?\b.{0,30}\b(?:captur\w+|record\w*)|\bgraph capturing\b/i,
    not: settings,
    because: 'each batch size is run once or more to record its graph',
  },
  {
    course: 'warmup',
    words: /\bwarm(?:ing)?[ -]?up\b|\bprofiling run\b|\bdry run\b/i,
    // Of a learning rate it goes on for hours of steps.
    not: /\b(?:lr|learning|rate|steps?|iters?|iterations|epochs?|ratio|schedule[dr]?|cosine|linear|momentum)\b|[=]/i,
    because: 'the first passes fill caches of kernels and memory and are not counted',
  },
  {
    course: 'warmup',
    words:
      /(?:^[^a-z]*|[\]|>-] )(?:map|filter|flatten\w*|packing|tokeni[sz]ing|grouping|concatenating|sanity checking)\b|\b(?:tokeni[sz]\w+|mapping|preprocess\w*|packing|filtering|shuffling|indexing|generating|building|preparing|creating|caching|sharding)\b.{0,60}\b(?:data ?sets?|data|examples|samples|ind(?:ex|ices)|splits?|prompts|corpus|texts|sequences|documents|dataloaders?)\b|\brunning tokenizer\b|\bdata ?sets?\b[^|]{0,60}\d%\|/i,
    not: /--\w|\b(?:interval|every|ratio|schedule[dr]?|config\w*|args?)\b/i,
    because: 'a dataset that is tokenized or indexed before the steps that need it',
  },
  {
    course: 'warmup',
    words:
      /\bNCCL INFO\b|\binitiali[sz](?:ing|ed)\b.{0,40}\b(?:nccl|distributed|process group|communicat\w+|model parallel|rank)\b|\b(?:wrapping|applied|applying|sharding)\b.{0,30}\b(?:FSDP2?|DDP|tensor parallel\w*|ZeRO|model)\b/i,
    because: 'ranks find one another and spread the model before the first step, and when groups are first used',
  },
  {
    course: 'checkpoint',
    words:
      /\b(?:sav(?:e|ed|ing)|writ(?:e|ing|ten)|wrote|stor(?:ed|ing)|dump(?:ed|ing)|consolidat\w+|gather(?:ed|ing)?|serializ\w+|finaliz\w+|flush\w*|upload\w*|push(?:ed|ing)|merg(?:ed|ing)|convert(?:ed|ing)|delet(?:ed|ing)|remov(?:ed|ing))\b.{0,60}\b(?:check-?points?|ckpts?|snapshots?|weights|models?|state[_ ]?dicts?|(?:full |optimizer |training |model )?states?|adapters?|safetensors|shards?|hub)\b|\b(?:check-?points?|ckpt|snapshots?|weights|configuration|config file|tokens file|tokenizer\w*(?: config file)?|optimizer state)\b.{0,60}\b(?:sav(?:ed|ing)|written|stored|uploaded|finali[sz]ed|finished|complete[d]?)\b|(?:^[^a-z]*|[\]|>-] )checkpointing\b/i,
    not: /\b(?:load(?:ed|ing)?|resum(?:ed|ing)|restor(?:ed|ing)|gradient checkpointing|activation)\b|\b(?:interval|every|will be)\b|--\w/i,
    because: 'a state of many GB goes to storage, often while all ranks wait',
  },
  {
    course: 'evaluation',
    words:
      /\b(?:evaluating|evaluation|validating|validation|inference|predicting|benchmarking|generating (?:samples|images))\b|(?:^[^a-z]*|[\]|>-] )(?:(?:eval|val|valid)\b(?![(_.])|test\b[ :[(]+\d)|\b(?:eval|val|test) (?:loop|step|batch(?:es)?|set|epoch|pass)\b|\brunning (?:eval|test)s?\b/i,
    not: new RegExp(`${settings.source}|\\buntil\\b`, 'i'),
    because: 'passes over other data, in which no step is told',
  },
];

/** Words with which such a work ends; parts of a checkpoint (`Model weights saved in`) end nothing. */
const ends =
  /\b(?:took|complete[d]?|finished|done|successfully|results?)\b|\bin \d+(?:\.\d+)? ?(?:s|sec\w*|m|min\w*|ms)\b|\b(?:saved|wrote) (?:the |a )?(?:\w+ )?(?:check-?point|ckpt|snapshot)\b|\b(?:check-?point|ckpt|snapshot)\b.{0,40}\b(?:saved|written)\b/i;

/** No more of a line is looked at: a message, not what it quotes. */
const longest = 240;

/** What a line without figures tells of. */
export function courseIn(text: string): Course | undefined {
  const begin = text.slice(0, longest);
  return courseWords.find(({ words, not }) => words.test(begin) && !not?.test(begin))?.course;
}

/** Whether the line says that it is over. */
export const saysEnd = (text: string): boolean => ends.test(text.slice(0, longest));
