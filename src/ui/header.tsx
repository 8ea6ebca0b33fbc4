import { Box } from 'ink';
import type { ReactElement } from 'react';
import { heardUntil, runHeardUntil } from '../model/heard.ts';
import type { State } from '../model/store.ts';
import { alarmBadge } from './alarms/words.ts';
import type { Controls } from './controls.ts';
import { linkReason, linkWords } from './link-text.ts';
import { composeRow, type Piece } from './parts/compose-row.ts';
import { formatBytes, formatDuration } from './parts/format.ts';
import type { Line, Tone } from './parts/line.ts';
import { Row } from './parts/row.tsx';
import { dayOf, timeOfDay } from './parts/times.ts';
import { cutText, plainText } from './parts/width.ts';
import type { Run } from '../model/run.ts';
import { leader, rankCount, shortCommand } from '../model/run-words.ts';
import type { UiState } from './ui-state.ts';
import { agoText } from './tape/tape-lines.ts';
import { useStore } from './use-store.ts';

interface HeaderProps {
  readonly controls: Controls;
  readonly paused: UiState['paused'];
  readonly intervalMs: number;
  readonly width: number;
  readonly height: number;
  /** Its rows before those that say why the link is down. */
  readonly rows: number;
}

/** What is watched, where, how well it is reached, and what that costs: one row, or two; below them why the link is down. */
export function Header({ controls, width, height, rows, ...ui }: HeaderProps): ReactElement {
  // Live also while the screen is paused: the link and the time go on.
  const state = useStore(controls.store, (state) => state);
  const { past, tape, store } = controls;
  useStore(tape && past ? past.now : store, ({ committedAt }) => Math.floor(committedAt / 1000));
  const ago = tape && past && agoText(past.now.getState().committedAt, tape.state().position);
  const reason = linkReason(state, width).slice(0, height - rows);
  const lines = headerLines({ state, controls, width, height, rows, ...ui, ago, isTold: reason.length > 0 });
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      {[...lines, ...reason].map((line, i) => (
        <Row key={i} line={line} width={width} />
      ))}
    </Box>
  );
}

interface HeaderInput extends HeaderProps {
  readonly state: State;
  readonly isTold: boolean;
  /** How long ago that was, while the past of a watch is shown. */
  readonly ago: string | undefined;
}

/** The header's rows, without why the link is down. */
function headerLines(input: HeaderInput): readonly Line[] {
  const { state, controls, paused, intervalMs, width, rows, ago } = input;
  const badges: Line = [
    { text: ' traintop ', tone: 'focus', inverse: true },
    ...badgesOf(controls),
    ...alarmBadge(state),
    { text: ' ' },
  ];
  const [what, ...more] = runPieces(state, controls);
  const run = [{ ...what, line: [...badges, ...what.line] }, ...more];
  const clock: Piece[] = [
    ...(paused ? [piece(1, ` PAUSED ${formatDuration((state.committedAt - paused.at) / 1000)} `, 'warn', true)] : []),
    ...recordingPieces(controls),
    ...(ago === undefined ? [] : [piece(1, ago, 'series7')]),
    piece(3, timeOfDay(state.committedAt), 'plain'),
    piece(4, `every ${intervalMs / 1000}s`, 'dim'),
  ];
  if (rows > 1)
    return [
      composeRow({ left: run, right: clock, width }),
      composeRow({ left: hostPieces(input), right: costPieces(state), width }),
    ];
  const link = linkPieces(state, input).map((link) => ({ ...link, rank: 2 }));
  return [composeRow({ left: run, right: [...link, ...clock], width })];
}

/** What must never be taken for a live host. */
function badgesOf({ tape, past, imported = false, demo, speed, watch }: Controls): Line {
  return [
    ...(tape ? [{ text: past ? ' PAST ' : ' REPLAY ', tone: 'series7', inverse: true } as const] : []),
    ...(watch ? [{ text: ' ATTACHED ', tone: 'ok', inverse: true } as const] : []),
    ...(imported ? [{ text: ' IMPORTED ', tone: 'series7', inverse: true } as const] : []),
    ...(demo
      ? [{ text: speed === undefined ? ' DEMO ' : ` DEMO ${speed}x `, tone: 'warn', inverse: true } as const]
      : []),
  ];
}

function runPieces(state: State, { imported = false }: Controls): readonly [Piece, ...Piece[]] {
  const { phase, run, reason } = state.run ?? {};
  if (phase === 'choosing') return [piece(0, 'several training runs: choose one (c)', 'warn')];
  if (phase === 'ended' && run) return endedPieces(run, state.committedAt - (state.phaseSince ?? state.committedAt));
  if (!run && imported) return [piece(0, 'the files tell of no run', 'dim')];
  if (!run && state.link?.state !== 'up') return [piece(0, 'no connection yet', 'dim')];
  // The Threads panel has it whole.
  if (!run) return [{ ...piece(0, reason ?? 'looking for a training run …', 'dim'), shortest: 8 }];
  const process = leader(run);
  const ranks = rankCount(run);
  const candidates = state.run?.candidates.length ?? 0;
  const { startTime } = process ?? {};
  // Some command lines have no end: what is beside it says more.
  const command = shortCommand(process?.commandLine ?? []);
  return [
    { ...piece(0, cutText(plainText(command), 48), 'strong'), shortest: 16 },
    ...(ranks > 1 ? [piece(4, `${ranks} ranks`)] : []),
    piece(2, `PID ${run.rootPid}`),
    ...(candidates > 1 ? [piece(4, `1 of ${candidates} runs (c)`, 'warn')] : []),
    ...(process?.user ? [piece(6, process.user)] : []),
    ...(startTime !== undefined
      ? [upPiece(startTime, state), piece(7, `since ${sinceText(startTime, state.committedAt)}`, 'dim')]
      : []),
  ];
}

/** Whether what is seen is kept; why not is said in a notice, and by M. */
function recordingPieces({ recording }: Controls): readonly Piece[] {
  const state = recording?.();
  if (!state || state.is === 'off') return [];
  if (state.is === 'failed')
    return [piece(1, state.short === undefined ? 'not recorded' : `not recorded: ${state.short}`, 'bad')];
  return [
    {
      rank: 2,
      line: [
        { text: '● ', tone: 'ok' },
        { text: 'rec', tone: 'dim' },
      ],
    },
  ];
}

/** How long it runs, as far as is known. */
function upPiece(startTime: number, state: State): Piece {
  const until = runHeardUntil(state);
  const text = `up ${formatDuration(((until ?? state.committedAt) - startTime) / 1000)}`;
  return piece(5, text, until === undefined ? 'plain' : 'dim');
}

/** What ended, how long ago; the command is cut before the words that matter. */
function endedPieces(run: Run, agoMs: number): readonly [Piece, ...Piece[]] {
  const command = shortCommand(leader(run)?.commandLine ?? []);
  return [
    piece(0, `the run ended ${formatDuration(agoMs / 1000)} ago`, 'warn'),
    { ...piece(1, cutText(plainText(command), 48), 'strong'), shortest: 12 },
    piece(4, `PID ${run.rootPid}`),
    piece(2, 'waiting for the next', 'warn'),
  ];
}

function hostPieces(input: HeaderInput): readonly Piece[] {
  const { state, controls } = input;
  const { facts } = state;
  const name = facts?.hostname ?? controls.target;
  const target = controls.target !== name ? [piece(3, controls.target, 'dim')] : [];
  const wrap = controls.wrap === undefined ? [] : [piece(4, `through ${controls.wrap}`, 'dim')];
  const cores = facts && state.host?.cores !== undefined ? [piece(6, `${state.host.cores} cores`, 'dim')] : [];
  const cwd = state.run?.run && leader(state.run.run)?.cwd;
  const { load1 } = liveHost(state) ?? {};
  const load = load1 === undefined ? [] : [piece(5, `load ${load1.toFixed(1)}`, 'dim')];
  return [
    { line: [{ text: ' ' }, { text: name, tone: 'strong' }], rank: 0 },
    ...target,
    ...wrap,
    ...linkPieces(state, input),
    ...load,
    ...cores,
    ...(cwd === undefined ? [] : [piece(7, `in ${cwd}`, 'dim')]),
  ];
}

/** `isTold`: why it is down stands in rows of its own. Saved output never had a link. */
function linkPieces(state: State, { intervalMs, isTold, controls }: HeaderInput): readonly Piece[] {
  if (controls.imported && !state.link) return [];
  const { text, tone, reason } = linkWords(state, Math.max(leastFreshMs, 3 * intervalMs));
  if (reason === undefined || isTold) return [piece(0, text, tone)];
  return [{ ...piece(0, `${text}: ${reason}`, tone), shortest: 40 }];
}

/** A round trip is said anew every 4 s, or at each tick of a slower pace. */
const leastFreshMs = 30_000;

/** What the host's source says holds while it is live: its panel tells the age of the rest. */
function liveHost(state: State): State['host'] {
  const status = state.host && state.sources.get(state.host.source)?.status;
  return heardUntil(state) === undefined && (status === undefined || status === 'live') ? state.host : undefined;
}

/** The memory is known at once, the share of a core after a while. */
function costPieces(state: State): readonly Piece[] {
  const { costCpuPercent: cpu, costMemoryBytes: memory } = liveHost(state) ?? {};
  if (cpu === undefined && memory === undefined) return [];
  const parts = [
    ...(cpu === undefined ? [] : [`${cpu.toFixed(1)} % of a core`]),
    ...(memory === undefined ? [] : [formatBytes(memory)]),
  ];
  return [piece(2, `costs the host ${parts.join(' · ')}`, (cpu ?? 0) > 5 ? 'warn' : 'dim')];
}

/** A start on the user's clock: the time of day, before today the date too. */
function sinceText(start: number, now: number): string {
  const time = timeOfDay(start).slice(0, 5);
  if (dayOf(start) === dayOf(now)) return time;
  return `${dayOf(start)} ${time}`;
}

function piece(rank: number, text: string, tone: Tone = 'plain', inverse = false): Piece {
  return { rank, line: [{ text, tone, inverse }] };
}
