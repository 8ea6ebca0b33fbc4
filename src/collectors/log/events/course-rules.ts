import { checkpointRule } from './checkpoint-rule.ts';
import { clauseAt, isTold } from './clause.ts';
import { numberOf, told, type EventRule } from './rule.ts';

const overflow =
  /\bOVERFLOW!|\b(?:gradient )?overflow detected\b|\bgradient overflow\b|\boverflow\b.{0,40}\bskipp(?:ing|ed)\b|\bskipp(?:ing|ed)\b.{0,40}\b(?:overflow|inf\/nan|nan\/inf|non-?finite)\b|\bfound (?:inf|nan)\w*(?: or (?:inf|nan))? in grad/i;

const evaluationBegun =
  /\*{3,} ?Running (?:Evaluation|Validation|Eval)\b|\b(?:running|starting|start(?:ed)?|begin(?:ning)?|began|performing)(?: the| an?)?(?: full)? (?:evaluation|validation|eval|validation (?:loop|run|phase))\b(?!\s*[=_]|[-\w])|^\W*(?:evaluating|validating)\b(?!\s*[=:]\s*\d)|\bStart inference on \d+ batches\b/i;
const evaluationDone =
  /\b(?:evaluation|validation|eval)(?: (?:loop|run|phase|epoch))?(?: is| has| was)? (?:complete[d]?|finished|done|ended|took|results?)\b(?!\s*=)|\b(?:finished|completed|done (?:with )?)(?: the)? (?:evaluation|validation|evaluating|validating)\b|\bEpoch\(val\)\s*\[\d+\]\s*\[(\d+)\/\1\]/i;

const epochEnd =
  /\b(?:end(?:ed)? of|finish(?:ed|ing)?|completed|done with|ending)(?: training| train)? epoch\b\s*[#:[(]?\s*(\d+)?|\bepoch\s*[#:[(]?\s*(\d+)(?:\s*(?:\/|of)\s*\d+)?[\])]?[:,]?(?:\s+-)?\s+(?:training |train )?(?:is |has |was )?(?:finished|complete[d]?|done|ended|end|took|over)\b(?!\s*=)|\bepoch (?:finished|completed|done|ended|took)\b|\btime (?:taken )?for epoch (\d+)\b/i;

const trainingEnd =
  /\b(?:training|fine-?tuning|pre-?training|trainer)(?: (?:loop|run|job|process))?(?: is| has| was)?(?: been)?(?: now)?(?: successfully)? (?:complete[d]?|finished|done|ended|over|stopped|concluded|terminated)\b(?!\s*[:=]\s*\d|\s+\d+(?:\.\d+)?\s*%|\s+(?:epoch|step)s?\b(?! \d))|\b(?:finished|completed|done(?: with)?|ended|end of|stopping|stopped)(?: the)? (?:model )?(?:training|fine-?tuning|pre-?training)\b(?![-_\w]|\s*(?:data|set|epoch|step|batch|iteration|sample|phase|stage)|\s*=)|`?\bTrainer\.fit`? stopped\b|\btotal train(?:ing)? time:?\s+\S*\d|\bexiting program (?:at|after)\b|\breached (?:the )?max(?:imum)?[ _](?:number of )?(?:train(?:ing)?[ _])?(?:steps|iterations|iters|epochs)\b|\bmax(?:imum)?[ _](?:steps|iterations|epochs)(?:=\d+)? reached\b/i;
const earlyStop =
  /\bearly[ -]?stopp(?:ing|ed) (?:triggered|at\b|after \d)|: early stopping\b\s*$|\bstopp(?:ing|ed) (?:training )?early\b/i;
const earlyReason = /\bearly\b/i;
/** HF: the dict at the end has both; with tokens counted `train_runtime` alone is in each. */
const finalDict = /['"]?\btrain_runtime['"]?\s*[:=]/;

/** What a run tells of its course: skipped steps, checkpoints, evaluations, ends of epochs and of the training. */
export const courseRules: readonly EventRule[] = [
  {
    words: ['overflow', 'found', 'skipped', 'skipping'],
    also: ['overflow', 'inf', 'nan', 'finite', 'nonfinite', 'iterations'],
    find({ text, record }) {
      const skipped = numberOf(/\bnumber of skipped iterations:\s*(\d+)/, text);
      if (skipped !== undefined) return skipped > 0 ? told('overflow', { skipped }) : undefined;
      const match = overflow.exec(text);
      if (!match || !isHappening(text, match.index)) return undefined;
      return told('overflow', {
        rank: numberOf(/\bRank (\d+)\b/, text) ?? record.rank,
        lossScale: lossScaleIn(text),
      });
    },
  },
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
    words: ['evaluation', 'validation', 'eval', 'evaluating', 'validating', 'inference', 'val'],
    also: [
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
      const match = evaluationDone.exec(text) ?? evaluationBegun.exec(text);
      if (!match || text.includes('%|') || !isTold(clauseAt(text, match.index))) return undefined;
      return told('evaluation', { step: numberOf(/\b(?:step|iteration|iter)s?\s*[:=#]?\s*(\d+)\b/i, text) });
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
      if (!isTold(clause)) return undefined;
      return told('training_end', {
        step: numberOf(/\b(?:step|iteration|iter)s?\s*[:=#]?\s*(\d+)\b|\bmax_steps=(\d+)/i, clause),
        reason: earlyReason.test(clause) ? 'early stopping' : undefined,
      });
    },
  },
];

/** A sentence that warns of overflows, or sets what is done then, tells of none. */
function isHappening(text: string, index: number): boolean {
  return !/\b(?:will|would|if|when|can|may|might|avoid|prevent|to detect|no|not|without)\b|=\s*(?:true|false|0)\b/i.test(
    clauseAt(text, index),
  );
}

/** What it is from now on. */
function lossScaleIn(text: string): number | undefined {
  return (
    numberOf(
      /\b(?:reducing|reduced|lowering|lowered|decreasing)(?: the)?(?: loss scale)?(?: from \S+)? to:? ([\d.]*\d(?:e[+-]?\d+)?)/i,
      text,
    ) ??
    numberOf(/\b(?:setting|set)(?: the)? loss scale to:? ([\d.]*\d(?:e[+-]?\d+)?)/i, text) ??
    numberOf(/\bnew loss scale:? ([\d.]*\d(?:e[+-]?\d+)?)/i, text)
  );
}
