import type { ReactElement } from 'react';
import type { SourceView, State } from '../../model/store.ts';
import { formatDuration } from './format.ts';
import { Frame, innerSize, type FrameProps } from './frame.tsx';
import type { Line, Segment, Tone } from './line.ts';
import { lineWidth } from './render-line.ts';
import { wrapText } from './width.ts';

/** A frame whose content comes from one source. */
export interface SourceFrameProps extends FrameProps {
  readonly state: State;
  /** The source's name (SourceSample.source); of several, the first that is known counts. */
  readonly source: string | readonly string[];
  /** There is something to show: old values stay, dimmed, when the source fails. */
  readonly hasData: boolean;
}

/**
 * The frame of a panel: its rows while the source is live; dimmed, with state and age in the note, when it is stale or off, below
 * the reason when it failed. Without rows to show there is a sentence: what it waits for, why it failed or is off.
 */
export function SourceFrame({ state, source, hasData, ...frame }: SourceFrameProps): ReactElement {
  const view = viewOf(state, source);
  const inner = innerSize(frame);
  if (hasData && (view === undefined || view.status === 'live')) return <Frame {...frame} />;
  const { children: _children, ...plain } = frame;
  if (!hasData)
    return <Frame {...plain} dimmed={false} note={undefined} rows={sentence({ state, view, width: inner.width })} />;
  const age = ageNote(state, view);
  const own: Line = typeof frame.note === 'string' ? [{ text: frame.note, tone: 'dim' }] : (frame.note ?? []);
  // What to do about a source that is off is advice for who has seen nothing of it; a failure is news to all.
  const fault = view?.status === 'failed' ? sentence({ state, view, width: inner.width }) : [];
  // At most half of a panel says why: the old values are worth the other half.
  const alert = fault.slice(0, Math.max(1, Math.floor(inner.height / 2)));
  return <Frame {...frame} note={joinNotes(age, own)} alert={alert} dimmed />;
}

/** How old the newest value of a source is, when that is worth saying: `12 s old`. */
function ageNote(state: State, view: SourceView | undefined): Line {
  if (!view || view.status === 'live') return [];
  const tone: Tone = view.status === 'failed' ? 'bad' : 'warn';
  const noRun = state.run?.phase === 'ended' || state.run?.run === undefined;
  const status = view.status === 'off' && noRun ? 'no run' : view.status;
  if (view.lastAt === undefined) return [{ text: status, tone }];
  return [{ text: `${status} · ${formatDuration((state.committedAt - view.lastAt) / 1000)} old`, tone }];
}

function viewOf({ sources }: State, names: string | readonly string[]): SourceView | undefined {
  for (const name of typeof names === 'string' ? [names] : names) {
    const view = sources.get(name);
    if (view) return view;
  }
  return undefined;
}

function sentence(init: { readonly state: State; readonly view: SourceView | undefined; readonly width: number }) {
  const { text, tone } = words(init.state, init.view);
  return wrapText(text, init.width).map((row): Line => [{ text: row, tone }]);
}

function words({ link, run, sources }: State, view: SourceView | undefined): { text: string; tone: Tone } {
  if (view?.status === 'failed') return { text: view.reason ?? 'failed, without a reason', tone: 'bad' };
  if (view?.status === 'off') return { text: view.reason ?? 'off', tone: 'dim' };
  if (view?.status === 'stale') return { text: view.reason ?? 'nothing new', tone: 'warn' };
  if (view?.reason) return { text: view.reason, tone: 'dim' };
  if (link && link.state !== 'up')
    return { text: link.reason ?? 'connecting …', tone: link.state === 'connecting' ? 'dim' : 'bad' };
  if (run?.phase === 'finding') return { text: run.reason ?? 'looking for a training run …', tone: 'dim' };
  if (run?.phase === 'choosing') return { text: 'choose a run first', tone: 'dim' };
  return { text: sources.size === 0 ? 'connecting …' : 'waiting for the first values …', tone: 'dim' };
}

function joinNotes(note: Line, more: Line): Line {
  const blank: Segment = { text: ' · ', tone: 'dim' };
  return lineWidth(note) > 0 && lineWidth(more) > 0 ? [...note, blank, ...more] : [...note, ...more];
}
