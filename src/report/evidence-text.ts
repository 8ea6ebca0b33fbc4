import type { EvidenceOf, ReportData, StackGroupOf } from './data.ts';
import type { Block, Section } from './document.ts';
import type { Times } from './words.ts';

/** Of each part of a black box. */
const mostLines = 500;
/** Groups whose stacks are seen at once. */
const openGroups = 4;

/** Black boxes and captures, each with its stacks folded. */
export function evidenceSection({ evidence, alarms }: ReportData, times: Times): Section | undefined {
  if (evidence.length === 0) return undefined;
  const titleOf = (each: EvidenceOf) => {
    const rang = alarms.find(({ id }) => id === each.alarm);
    return `${times.exact(each.at)} ${each.title}${rang ? ` (alarm ${rang.alarm})` : ''}`;
  };
  return {
    id: 'evidence',
    title: 'Evidence',
    blocks: evidence.flatMap((each): Block[] => [
      { is: 'text', text: `${titleOf(each)}${each.reason === undefined ? '' : `: ${each.reason}`}` },
      ...(each.finding === undefined ? [] : [{ is: 'lead', text: each.finding } as const]),
      ...each.notes.map((text): Block => ({ is: 'note', text })),
      ...stacks(each.groups),
      ...each.parts.map(part),
      ...(each.folder === undefined ? [] : [{ is: 'note', text: `Saved in ${each.folder}` } as const]),
    ]),
  };
}

function stacks(groups: readonly StackGroupOf[]): readonly Block[] {
  const blocks = groups.map((group): Block => {
    const [inner = 'no frames'] = group.frames;
    return {
      is: 'more',
      title: `${group.who}, ${group.role}: ${inner}${group.class === 'unknown' ? '' : ` (${group.class})`}`,
      blocks: [{ is: 'lines', lines: group.frames }],
    };
  });
  const rest = blocks.slice(openGroups);
  return [
    ...blocks.slice(0, openGroups),
    ...(rest.length > 0 ? [{ is: 'more', title: `${rest.length} more groups of stacks`, blocks: rest } as const] : []),
  ];
}

function part({ name, lines = [], cut, failure }: EvidenceOf['parts'][number]): Block {
  if (failure !== undefined && lines.length === 0) return { is: 'note', text: `${name}: ${failure}` };
  const shown = lines.slice(-mostLines);
  return {
    is: 'more',
    title: `${name}: ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}${cut ? ', cut' : ''}`,
    blocks: [...(failure === undefined ? [] : [{ is: 'note', text: failure } as const]), { is: 'lines', lines: shown }],
  };
}
