import { clauseAt } from './clause.ts';
import { countOf, counted, numberOf, told, type EventRule } from './rule.ts';

const overflow =
  /\bOVERFLOW!|\b(?:gradient )?overflow detected\b|\bgrad(?:ient)? overflow\b|\boverflow\b.{0,40}\bskipp(?:ing|ed)\b|\bskipp(?:ing|ed)\b.{0,40}\b(?:overflow|inf\/nan|nan\/inf|non-?finite|nan|inf)\b|\b(?:inf|nan|non-?finite)\b.{0,40}\bskip(?:ping|ped)?\b|\bfound (?:inf|nan)\w*(?: or (?:inf|nan))? in grad|\b(?:reducing|lowering|decreasing) (?:the )?loss scale\b/i;

/** In words; as figures it is found by the values. */
const notFinite =
  /\bloss (?:is|became|was|has become|turned|went)(?: now)? (?:nan|inf|infinite|non-?finite|not finite)\b|\b(?:nan|inf|non-?finite)(?: or inf)?(?: value)? loss\b|\b(?:nan|inf)s?(?:\/inf| or inf)? (?:detected|found|encountered|appeared)?\s?in (?:the )?(?:\w+ )?loss\b|\b(?:nan|non-?finite)(?: value)?s? (?:gradients?|in (?:the )?gradients?)\b/i;

/** As figures it is found by the values; its detector, a threshold and a count are none. */
const spiked =
  /\bloss[ -]spik(?:e|es|ed|ing)\b(?![ _-]?(?:detect(?:ion|or)|thresh\w*|guard|handl\w+|monitor\w*|protect\w+|window|factor|recover\w*|callback|patience|counts?|checks?|filter\w*|skipping|per)\b|\s*[:=]\s*(?:0\b(?!\.\d)|false|none|off|\[))|\bspikes? in (?:the )?(?:train(?:ing)? )?loss\b|\bloss (?:has |suddenly )?(?:jumped|surged|exploded|blew up|shot up)\b/i;

const stepSaid = new RegExp(String.raw`\b(?:step|iteration|iter|update)s?\s*[:=#]?\s*(${counted})\b`, 'i');
const stepSkipped = new RegExp(
  String.raw`(?<!skip(?:ped|ping) )\b(?:step|iteration|iter|update)\s?[:=#]?\s?(${counted})\b(?!\.\d)`,
  'i',
);

/** Numbers that are none, jumps and skipped steps, as a run says them in words. */
export const numberRules: readonly EventRule[] = [
  {
    words: [
      'nan',
      'nans',
      'inf',
      'finite',
      'nonfinite',
      'infinite',
      'spike',
      'spikes',
      'spiked',
      'spiking',
      'jumped',
      'surged',
      'exploded',
    ],
    also: ['loss', 'gradient', 'gradients'],
    find({ text }) {
      const spike = spiked.exec(text);
      const match = spike ?? notFinite.exec(text);
      if (!match || !isHappening(text, match.index)) return undefined;
      const step = countOf(stepSaid, text);
      if (spike) return told('loss_spike', { step });
      const ofLoss = /\bloss\b/i.test(match[0]);
      if (!ofLoss && /\bskip/i.test(text)) return told('overflow', { step });
      return told('not_finite', { field: ofLoss ? 'loss' : 'gradNorm', step });
    },
  },
  {
    words: ['overflow', 'found', 'skip', 'skipped', 'skipping', 'reducing', 'lowering', 'decreasing'],
    also: ['overflow', 'inf', 'nan', 'finite', 'nonfinite', 'iterations', 'scale'],
    find({ text, record }) {
      const skipped = numberOf(/\bnumber of skipped iterations:\s*(\d+)/, text);
      if (skipped !== undefined) return skipped > 0 ? told('overflow', { skipped }) : undefined;
      const match = overflow.exec(text);
      if (!match || !isHappening(text, match.index)) return undefined;
      return told('overflow', {
        rank: numberOf(/\bRank (\d+)\b/, text) ?? record.rank,
        step: countOf(stepSkipped, text),
        lossScale: lossScaleIn(text),
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
