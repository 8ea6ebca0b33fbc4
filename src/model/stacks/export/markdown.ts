import { captureTitle } from '../../capture-words.ts';
import { gilShares } from '../../classes/gil.ts';
import { leader } from '../../run-words.ts';
import { rankText } from '../../ranges.ts';
import type { StackFrame } from '../../stacks.ts';
import { whatRolesDid, type RoleDoing } from '../doing.ts';
import type { Folded } from '../fold.ts';
import { groupStacks, type ClassShare, type MergedStack, type StackGroup } from '../group.ts';
import { oddRanks } from '../odd-ranks.ts';
import { placeOf } from '../search.ts';
import { countText, looksText, percent, utc, type ExportAbout } from './about.ts';
import { code, codeBlock } from './code.ts';

/** Characters: GitHub takes 65,536 in an issue. */
const most = 60_000;
/** Rows of the table for processes, and for notes. */
const mostRows = 24;

/** What is given of each role, from all that is of use to what always fits. */
const sizes: readonly Size[] = [
  { stacks: 12, frames: 80, roles: 60 },
  { stacks: 6, frames: 50, roles: 40 },
  { stacks: 3, frames: 30, roles: 20 },
  { stacks: 1, frames: 16, roles: 12 },
  { stacks: 1, frames: 4, roles: 4 },
];

interface Size {
  readonly stacks: number;
  readonly frames: number;
  readonly roles: number;
}

/**
 * Markdown for an issue report. All that comes from the host stands in code: there nobody is notified by an @name, no #1 becomes a link,
 * and no text of a host becomes a heading.
 */
export function exportMarkdown(folded: Folded, about: ExportAbout): string {
  const parts = {
    head: [`## Stacks: ${captureTitle(about.capture, about.run)}`, table(facts(folded, about))],
    doing: whatRolesDid(folded),
    odd: [...gilText(folded), ...odd(folded)],
    groups: groupStacks(folded, 'role'),
    unit: folded.unit,
  };
  for (const size of sizes) {
    const text = report(parts, size);
    if (text.length <= most) return text;
  }
  return report(parts, { stacks: 0, frames: 0, roles: 0 });
}

interface Parts extends Pick<Folded, 'unit'> {
  readonly head: readonly string[];
  readonly doing: readonly RoleDoing[];
  readonly odd: readonly string[];
  readonly groups: readonly StackGroup[];
}

function report(parts: Parts, size: Size): string {
  return [...parts.head, ...doing(parts, size), ...parts.odd, ...byRole(parts, size)].join('\n\n') + '\n';
}

function facts(folded: Folded, { host, capture, run, versions, states }: ExportAbout): readonly Row[] {
  const command = (run && leader(run)?.commandLine.join(' ')) ?? folded.processes[0]?.command ?? '';
  const processes = folded.processes.slice(0, mostRows).map(({ pid, rank, samples, errors, failure }) => {
    const state = states?.get(pid);
    const looks = `${countText(samples, folded.unit)}${errors > 0 ? `, ${errors} not read` : ''}`;
    const whose = rank === undefined ? `PID ${pid}` : `rank ${rank} (PID ${pid})`;
    return `${whose}${state === undefined ? '' : `, state ${code(state)}`}: ${failure === undefined ? looks : code(failure)}`;
  });
  const ended = capture.endedAt === undefined ? '' : `, ${((capture.endedAt - capture.startedAt) / 1000).toFixed(1)} s`;
  return [
    ['Host', code(host)],
    ['Command', code(command)],
    ['When', `${utc(capture.startedAt)}${ended}`],
    ['Kind', `${capture.what}${folded.native ? ', with native frames' : ''}, ${looksText(folded)}`],
    ['State', capture.state === 'partial' ? 'partial: it was ended before its time' : capture.state],
    ['Versions', versions.map((version) => code(version)).join(', ')],
    ...processes.map((text): Row => ['Process', text]),
    ...more(folded.processes.length - processes.length, 'process').map((text): Row => ['', text]),
    ...(folded.leftOut > 0 ? [['Left out', `${folded.leftOut} counts: too many different stacks`] as const] : []),
    ...capture.notes.slice(0, mostRows).map((note): Row => ['Note', code(note)]),
    ...(capture.failure === undefined ? [] : [['Failure', code(capture.failure)] as const]),
  ];
}

type Row = readonly [name: string, value: string];

function table(rows: readonly Row[]): string {
  return ['| | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}

function doing({ doing: all }: Parts, { roles }: Size): readonly string[] {
  if (all.length === 0) return ['No stack was found.'];
  const rows = all.slice(0, roles).map(({ role, threads, count, classes, tops }) => {
    const [top] = tops;
    const where = top?.caller ?? top?.frame;
    const what = top && `${percent(top.share)} ${where ? place(where) : 'no Python frame'}`;
    return `| ${code(role)} | ${threads} | ${count} | ${classesText(classes)} | ${what ?? ''} |`;
  });
  return [
    '### What each role was doing',
    ['| Role | Threads | Counts | Classes | Most often in |', '| --- | ---: | ---: | --- | --- |', ...rows].join('\n'),
    ...more(all.length - rows.length, 'role'),
  ];
}

function odd(folded: Folded): readonly string[] {
  const found = oddRanks(folded).filter((comparison) => comparison.odd.length > 0);
  if (found.length === 0) return [];
  const lines = found.slice(0, 10).flatMap(({ role, odd: ranks, because, groups }) => {
    const others = groups.at(-1);
    const why = because === 'collective' ? 'the others wait in a collective' : 'the others are alike';
    return [
      `- ${rankText(ranks)} in role ${code(role)}: ${why}.`,
      ...groups
        .filter((group) => group !== others)
        .map(({ ranks: here, stacks, parting }) => {
          const [stack] = stacks;
          if (!stack) return `  - ${rankText(here)}: no such thread`;
          const [inner] = stack.frames;
          const parts = parting?.here && parting.here !== inner ? `, by way of ${place(parting.here)}` : '';
          const than = parting?.there ? `; the others went ${place(parting.there)}` : '';
          return `  - ${rankText(here)}: ${stack.class}${inner ? ` in ${place(inner)}` : ''}${parts}${than}`;
        }),
    ];
  });
  return ['### Odd rank out', lines.join('\n')];
}

function byRole({ groups, unit }: Parts, size: Size): readonly string[] {
  return [
    ...(groups.length > 0 ? ['### Stacks by role', 'Innermost frame first.'] : []),
    ...groups.slice(0, size.roles).flatMap((group) => roleText(group, unit, size)),
    ...more(groups.length - size.roles, 'role'),
  ];
}

function roleText({ key, threads, stacks }: StackGroup, unit: Folded['unit'], size: Size): readonly string[] {
  const shown = stacks.slice(0, size.stacks);
  return [
    `#### ${code(key)}, ${threads} ${threads === 1 ? 'thread' : 'threads'}`,
    ...shown.flatMap((stack) => [stackHead(stack, unit), codeBlock(frameLines(stack, size))]),
    ...more(stacks.length - shown.length, 'stack'),
  ];
}

function stackHead(
  { class: of, count, share, active, gil, ranks, of: owners }: MergedStack,
  unit: Folded['unit'],
): string {
  const [first] = owners;
  const whose = ranks.length > 0 ? rankText(ranks) : undefined;
  const names = new Set(owners.map(({ thread }) => thread));
  const told = [
    `**${percent(share)}** (${countText(count, unit)}): ${of}`,
    ...(whose === undefined ? [] : [whose]),
    names.size === 1 && first ? code(first.thread) : `${names.size} threads`,
    ...(active === undefined ? [] : [`active ${active}`]),
    ...(gil ? [`held the GIL ${gil}`] : []),
  ];
  return told.join(', ');
}

function frameLines({ frames }: MergedStack, { frames: room }: Size): readonly string[] {
  if (frames.length === 0) return ['no Python frame'];
  if (frames.length <= room) return frames.map(placeOf);
  const inner = Math.ceil(room / 2);
  const outer = room - inner;
  return [
    ...frames.slice(0, inner).map(placeOf),
    `… ${frames.length - room} frames left out …`,
    ...frames.slice(frames.length - outer).map(placeOf),
  ];
}

function classesText(classes: readonly ClassShare[]): string {
  return classes
    .slice(0, 6)
    .map(({ class: of, share }) => `${of} ${percent(share)}`)
    .join(', ');
}

/** Who held the GIL, in parts of the time: shares below are of what was held. */
function gilText(folded: Folded): readonly string[] {
  if (!folded.gilOnly) return [];
  const lines = gilShares(folded).map(({ pid, rank, looks, share, roles }) => {
    const whose = rank === undefined ? `PID ${pid}` : `rank ${rank} (PID ${pid})`;
    const by = roles.slice(0, 6).map((role) => `${code(role.role)} ${percent(role.share)}`);
    return `- ${whose}: ${percent(share)} of ${looks} samples${by.length > 0 ? `: ${by.join(', ')}` : ''}`;
  });
  return ['### Who held the GIL', lines.slice(0, mostRows).join('\n')];
}

function place(frame: StackFrame): string {
  return code(placeOf(frame));
}

function more(count: number, word: string): readonly string[] {
  return count > 0 ? [`${count} more ${word}${count === 1 ? '' : word.endsWith('s') ? 'es' : 's'}.`] : [];
}
