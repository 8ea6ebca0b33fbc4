import { headEnd } from '../records/head.ts';
import { checkpointRule } from './checkpoint-rule.ts';
import { clauseAt, isTold } from './clause.ts';
import { countOf, counted, told, type EventRule } from './rule.ts';

const evaluationBegun =
  /\*{3,} ?Running (?:Evaluation|Validation|Eval)\b|\b(?:running|starting|start(?:ed)?|begin(?:ning)?|began|performing)(?: the| an?)?(?: full)? (?:evaluation|validation|eval|validation (?:loop|run|phase))\b(?!\s*[=_]|[-\w])|\b(?:evaluation|validation) (?:has )?(?:started|begins|began)\b|^\W*(?:evaluating|validating)\b(?!\s*[=:]\s*\d|.*\b(?:is|are|was|were|returns?|against|expressions?|schemas?|functions?|json|files?|config\w*|inputs?|arguments?|args|options?|settings|parameters|credentials|tokens?)\b)|\bStart inference on \d+ batches\b/i;
const evaluationDone =
  /\b(?:evaluation|validation|eval)(?: (?:loop|run|phase|epoch))?(?: (?:at|for|of|after|on) (?:the )?(?:(?:step|iteration|iter|epoch|update) ?#?[\d,.]+|\w+ (?:set|split)))?(?: is| has| was)? (?:complete[d]?|finished|done|ended|took|results?(?=\s*(?:[:(|{[*-]|$|at\b|for\b|after\b|on\b|of\b|epoch\b|step\b)))\b(?!\s*=)|\b(?:finished|completed|done (?:with )?)(?: the)? (?:evaluation|validation|evaluating|validating)\b|\bEpoch\(val\)\s*\[\d+\]\s*\[(\d+)\/\1\]/i;

const epochEnd =
  /\b(?:end(?:ed)? of|finish(?:ed|ing)?|completed|done with|ending)(?: training| train)? epoch\b\s*[#:[(]?\s*(\d+)?|(?<!\b(?:after|for|of|on) )\bepoch\s*[#:[(]?\s*(\d+)(?:\s*(?:\/|of)\s*\d+)?[\])]?[:,]?(?:\s+-)?\s+(?:training |train )?(?:is |has |was )?(?:finished|complete[d]?|done|ended|end|took|over)\b(?!\s*=)|\bepoch (?:finished|completed|done|ended|took)\b|\btime (?:taken )?for epoch (\d+)\b/i;

const trainingEnd =
  /(?<!\b(?:stage|phase|fold|round|task|part)[ #:]{0,2}\d{0,4}:? )\b(?:training|fine-?tuning|pre-?training)(?: (?:loop|run|job|process))?(?: is| has| was)?(?: been)?(?: now)?(?: successfully)? (?:complete[d]?|finished|done|ended|over|stopped|concluded|terminated)\b(?!\s*[:=]\s*\d|\s+\d+(?:\.\d+)?\s*%|\s+(?:with|by|on|due|because|unexpectedly|abnormally)\b|\s+(?:epoch|step)s?\b(?! \d))|\b(?:finished|completed|done(?: with)?|ended|end of|stopping|stopped)(?: the)? (?:model )?(?:training|fine-?tuning|pre-?training)\b(?![-_\w]|\s*(?:data|set|epoch|step|batch|iteration|sample|phase|stage)|\s*=)|\btraining took \d|\btraining loop exited\b|`?\bTrainer\.fit`? stopped\b|\btotal train(?:ing)? time:?\s+\S*\d|\bexiting program (?:at|after)\b|\breached (?:the )?max(?:imum)?[ _](?:number of )?(?:train(?:ing)?[ _])?(?:steps|iterations|iters|epochs)\b|\bmax(?:imum)?[ _](?:steps|iterations|epochs)(?:=\d+)? reached\b/i;
const earlyStop =
  /^\W*early[ -]?stopp(?:ing|ed)[.!]*$|\bearly[ -]?stopp(?:ing|ed) (?:triggered|at\b|after \d)|: early stopping\b\s*$|\bstopp(?:ing|ed) (?:training )?early\b/i;
const earlyReason = /\bearly\b/i;
/** Figures under a heading; those of a part (`12/100`) are none yet. */
const evaluationResult =
  /^\W*(?:validation|validate|valid|eval(?:uation)?|val)\b(?: set| results?)?[\s\]):|{'"-]+.*\b(?:acc(?:uracy)?|ppl|perplexity|loss|score|f1|bleu|mAP|auc|wer|cer)\b\W{0,6}\d|^\W*test(?:ing)? (?:accuracy|acc|loss|error|score)\b\W{0,4}\d|^\W*test set: .*\baccuracy\b|['"]eval_runtime['"]/i;
const part = /(?<![\d.])(\d+)\s*\/\s*(\d+)(?![\d.])/;

/** HF: the dict at the end has both; with tokens counted `train_runtime` alone is in each. */
const finalDict = /['"]?\btrain_runtime['"]?\s*[:=]/;

/** What a run tells of its course: checkpoints, evaluations, ends of epochs and of the training. */
export const courseRules: readonly EventRule[] = [
  checkpointRule,
  {
    words: ['epoch'],
    also: ['end', 'ended', 'ending', 'finished', 'finishing', 'complete', 'completed', 'done', 'took', 'over', 'time'],
    find({ text }) {
      const match = epochEnd.exec(text);
      if (!match || text.includes('%|') || !isTold(clauseAt(text, match.index))) return undefined;
      const epoch = match[1] ?? match[2] ?? match[3];
      return told('epoch_end', { epoch: epoch === undefined ? undefined : Number(epoch) });
    },
  },
  {
    words: [
      'evaluation',
      'validation',
      'eval',
      'evaluating',
      'validating',
      'inference',
      'val',
      'valid',
      'validate',
      'test',
      'testing',
    ],
    also: [
      'validate',
      'accuracy',
      'acc',
      'ppl',
      'perplexity',
      'loss',
      'score',
      'bleu',
      'map',
      'auc',
      'wer',
      'cer',
      'runtime',
      'running',
      'starting',
      'start',
      'started',
      'begin',
      'beginning',
      'began',
      'performing',
      'evaluating',
      'validating',
      'complete',
      'completed',
      'finished',
      'done',
      'ended',
      'took',
      'result',
      'results',
      'val',
    ],
    find({ text }) {
      const head = headEnd(text);
      const body = head > 0 ? text.slice(head) : text;
      const match = evaluationDone.exec(body) ?? evaluationBegun.exec(body) ?? resultIn(body);
      if (!match || text.includes('%|') || !isTold(clauseAt(body, match.index))) return undefined;
      return told('evaluation', { step: countOf(stepSaid, text) });
    },
  },
  {
    words: [
      'training',
      'trainer',
      'tuning',
      'finetuning',
      'pretraining',
      'train',
      'runtime',
      'exiting',
      'reached',
      'early',
    ],
    also: [
      'complete',
      'completed',
      'finished',
      'done',
      'ended',
      'end',
      'over',
      'stopped',
      'stopping',
      'took',
      'exited',
      'concluded',
      'terminated',
      'time',
      'runtime',
      'program',
      'max',
      'maximum',
    ],
    find({ text }) {
      if (finalDict.test(text)) return /\btrain_loss['"]?\s*[:=]/.test(text) ? told('training_end') : undefined;
      const match = trainingEnd.exec(text) ?? earlyStop.exec(text);
      if (!match || text.includes('%|')) return undefined;
      const clause = clauseAt(text, match.index);
      if (!isTold(clause) || /^\W*(?:after|once)\b/i.test(clause)) return undefined;
      return told('training_end', {
        step: countOf(stepSaid, clause),
        reason: earlyReason.test(clause) ? 'early stopping' : undefined,
      });
    },
  },
];

const stepSaid = new RegExp(
  String.raw`\b(?:step|iteration|iter|update)s?\s*[:=#]?\s*(${counted})\b|\bmax_steps=(\d+)`,
  'i',
);

function resultIn(text: string): RegExpExecArray | null {
  const match = evaluationResult.exec(text);
  // An accuracy of 9829/10000 is no part.
  const [, done, total] = (match && part.exec(text.replace(/\bacc\w*\W{1,3}\d+\/\d+/i, ''))) ?? [];
  return match && !(Number(done) < Number(total)) ? match : null;
}
