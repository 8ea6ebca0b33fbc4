import { clauseAt, isTold } from './clause.ts';
import { countOf, counted, told, type EventRule } from './rule.ts';

const verb = String.raw`sav(?:ed|ing)|wrote|writ(?:ten|ing)|stor(?:ed|ing)|dump(?:ed|ing)|persist(?:ed|ing)|creat(?:ed|ing)|flush(?:ed|ing)|committ(?:ed|ing)`;
const saved = String.raw`saved|written|wrote|stored|dumped|persisted|flushed|committed|created at|finali[sz]ed|complete[d]?|finished|done|ready now|saving`;
const checkpoint = String.raw`check-?point|ckpt|snapshot|training[ _]state|state[ _]dict|optimizer state`;
/** Words between the verb and what is saved. */
const kindWord = String.raw`(?:\[[^\]]*\]|\w*-?(?:the|a|an|its|new|best|final|last|latest|current|full|whole|sharded|distributed|async|asynchronous|asynchronously|sync|model|models|optimizer|training|trained|trainer|fsdp2?|lora|ema|peft|adapter|deepspeed|zero\d?|regular|periodic|local|global|merged|torch|hf|huggingface|state|states|checkpoint|persistent|ephemeral|emergency|intermediate|unsharded|consolidated|policy|actor|critic|step|epoch|iteration|iter|at|for|of|and|#?\d+)\b,?)`;

const forms: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:${verb})\b:?\s+(?:${kindWord}\s+){0,6}?['"]?(?:${checkpoint})s?\b(?!_\w*=|[ _-]?(?:dir(?:ectory)?|folder|path|manager|callback|config|interval|frequency|loader|handler|hook|engine|writer|thread)s?\b)`,
    'i',
  ),
  new RegExp(String.raw`\b(?:${checkpoint})s?\b\]?(?:[:\s-]+\S+){0,10}?[:\s-]+(?:${saved})\b`, 'i'),
  new RegExp(
    String.raw`\basync(?:hronous)? checkpoint save\b.*\b(?:finali[sz]ed|finished|completed)\b|\bstart(?:ed|ing) (?:an? )?async(?:hronous)? (?:checkpoint )?save\b|\bsave[d]? checkpoint (?:at|for|to)\b|\bcheckpoint (?:save|saving) (?:took|complete|finished|done)`,
    'i',
  ),
  /\bcheckpointing (?:the )?(?:model|state|to|at (?:step|iteration|epoch))\b/i,
  /\bsave (?:model |the model )?to (?:checkpoint )?\S+\.(?:pt|pth|ckpt|safetensors|h5|keras|pdparams)\b/i,
  new RegExp(
    String.raw`\b(?:${verb})\b\s+(?:the |current |full )?(?:training )?state\b.{0,20}?\s(?:to|in|into)\s+['"]?\S*(?:[/\\]|\.\w)`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:${verb})\b\s+(?:the |a )?(?:model|weights)(?:\s*(?:\.\.\.|…|$)|\s+(?:at|for|after) (?:step|iteration|epoch) \d)`,
    'i',
  ),
  /\b(?:write|dump|store) checkpoint (?:to|at)\b|\bsave (?:the )?model (?:to|at):? ['"]?\S*[/.\\]/i,
  /^\W*(?:checkpoint|ckpt)\W+(?:step\W?)?\d+ ?(?:->|=>|→) ?\S/i,
  /(?:^|[.!:|]\s+|[-–]\s+)(?:(?:the )?(?:best |final |last )?(?:model|weights) saved|saved (?:the )?(?:best |final |last )?(?:model|weights))(?: to disk)?[.!]*$/i,
  // A model or its weights: where to is told, or that it is the best one.
  new RegExp(
    String.raw`\b(?:${verb})\b\s+(?:${kindWord}\s+){0,4}?(?:model|weights|adapters?|parameters)\b.{0,60}?\s(?:to|in|into|at|as|under)\s+['"]?\S*(?:[/\\]|\.\w)`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:model|weights|adapters?)\b(?:\s+\S+){0,4}?\s(?:saved|written|stored|dumped)\s+(?:to|in|into|at|as|under)\s+['"]?\S*(?:[/\\]|\.\w)`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:${verb})\b\s+(?:the |a )?(?:new |current )?(?:best|final|last|latest)\b(?! (?!(?:model|check-?point|ckpt|weights|state|one|so far|yet|epoch|step|to|at|with|as|in|under|after|val(?:id(?:ation)?)?|loss|score)\b)[a-z])`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:${verb})\b.{0,80}?[\w=)\]}-]\.(?:pt|pth|pt2|ckpt|safetensors|h5|keras|distcp|pdparams|msgpack|mdl|orbax)\b`,
    'i',
  ),
];

/** Not the run's own checkpoint, or none that is written: said of another one, or of many to come. */
const others =
  /\b(?:load(?:ed|ing|s)?|resum(?:e|ed|ing)|restor(?:e|ed|ing)|delet(?:e|ed|ing)|remov(?:e|ed|ing)|prun(?:e|ed|ing)|rotat(?:e|ed|ing)|keep(?:ing)?|found|convert(?:ed|ing)?|quanti[sz](?:ed|ing)|upload(?:ed|ing)?|download(?:ed|ing)?|push(?:ed|ing)?|read(?:ing)?|initiali[sz](?:ed|ing)|using|activations?|tokenizer|gradient checkpointing|saving checkpoints(?! for \d+ into)|start(?:ing|ed)? from|from (?:saved )?checkpoint)\b/i;

/** A checkpoint that is written: its begin or its end, whichever is told. */
export const checkpointRule: EventRule = {
  words: [
    'saved',
    'saving',
    'wrote',
    'written',
    'writing',
    'stored',
    'storing',
    'dumped',
    'dumping',
    'persisted',
    'persisting',
    'created',
    'creating',
    'write',
    'dump',
    'store',
    'step',
    'save',
    'finalized',
    'finalised',
    'complete',
    'completed',
    'finished',
    'done',
    'ready',
    'flushed',
    'committed',
    'checkpointing',
  ],
  also: [
    'checkpoint',
    'checkpoints',
    'ckpt',
    'ckpts',
    'snapshot',
    'model',
    'weights',
    'adapter',
    'adapters',
    'parameters',
    'state',
    'best',
    'final',
    'last',
    'latest',
    'async',
    'checkpointing',
    'asynchronous',
    'pt',
    'pth',
    'safetensors',
    'h',
    'keras',
    'distcp',
    'pdparams',
    'msgpack',
    'mdl',
    'orbax',
  ],
  find({ text }) {
    for (const form of forms) {
      const match = form.exec(text);
      if (!match) continue;
      const clause = clauseAt(text, match.index).replace(besides, '');
      if (others.test(withoutPaths(clause)) || !isTold(clause)) return undefined;
      const path = pathIn(clause);
      return told('checkpoint', { path, step: stepIn(clause, path), seconds: secondsIn(text) });
    }
    return undefined;
  },
};

/** What else was done, or is kept, behind what was saved. */
const besides =
  /(?<=\w.*)(?:[,;–]|\(| - | and ) ?(?:and )?(?:keep(?:ing|s)?|kept|remov(?:ed|ing)|delet(?:ed|ing)|prun(?:ed|ing)|rotat(?:ed|ing))\b.*$/i;

const withoutPaths = (text: string) => text.replace(/\S*\/\S+/g, ' ');

const pathForms: readonly RegExp[] = [
  /\b(?:to|in|into|at|as|under|file|path|dir|directory)[:=]?\s+(?:file |dir(?:ectory)? |path |folder )?['"`]?((?:\w+:\/\/)?[^\s'"`,;()]*[/\\.][^\s'"`,;()]*)/gi,
  /['"`]([^'"`\s]*[/.][^'"`\s]*)['"`]/g,
  /(?:^|[\s:(@]|[\u3000-\uffff])((?:\w+:\/\/|\.{0,2}\/)?[\w.=@+-]+\/[\w./=@+-]*|[\w=@+-]+(?:\.[\w=@+-]+)*\.(?:pt|pth|ckpt|safetensors|h5|keras|bin|pdparams|npz|mdl))(?=[\s,;:)!]|\.?$|\.\.\.)/g,
];
const noPath = /^[\d.,:/-]+$|^[\d.]+(?:s|ms|sec|secs|min|m|h|it\/s|[KMG]i?B)$/i;

/** Where it is written, as printed. */
export function pathIn(clause: string): string | undefined {
  for (const form of pathForms) {
    for (const [, named = ''] of clause.matchAll(form)) {
      const path = named.replace(/[.:!]+$/, '');
      if (/[/\\.]/.test(path) && !noPath.test(path)) return path;
    }
  }
  return undefined;
}

/** The step as the sentence says it, else as the path is named after it. */
export function stepIn(clause: string, path: string | undefined): number | undefined {
  return countOf(saidStep, path ? clause.replace(path, ' ') : clause) ?? countOf(namedStep, path ?? '');
}

const saidStep = new RegExp(
  String.raw`\b(?:global[_ ])?(?:step|iteration|iter|update)s?(?:\s*[:=#]?\s*)(${counted})\b(?!\.\d|\/)|\b(${counted}) (?:steps|iterations|iters|updates)\b|\bcheckpoints? for (${counted})\b`,
  'i',
);
const namedStep = /(?:^|[/_-])(?:checkpoint|global_?step|step|iter(?:ation)?|ckpt)[-_=]?(\d+)(?=$|[/._-])/i;

/** How long it took. */
function secondsIn(text: string): number | undefined {
  const match = /\b(?:in|took|after|takes)\s*[:=]?\s*(\d+(?:\.\d+)?) ?(ms|s|sec|secs|seconds)\b/.exec(text);
  if (!match) return undefined;
  return match[2] === 'ms' ? Number((Number(match[1]) / 1000).toPrecision(12)) : Number(match[1]);
}
