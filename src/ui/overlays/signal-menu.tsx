import type { ReactElement } from 'react';
import { signalEffect, signalNames, type SignalTarget } from '../../model/signals.ts';
import { formatDuration } from '../parts/format.ts';
import { Frame, innerSize } from '../parts/frame.tsx';
import type { Line } from '../parts/line.ts';
import { plainText, wrapText } from '../parts/width.ts';
import type { SignalsView } from '../ui-state.ts';

interface SignalMenuProps {
  readonly view: SignalsView;
  /** For the process's age. */
  readonly now: number;
  readonly width: number;
  readonly height: number;
}

/** What each signal does to the process; Enter asks for its PID and sends the one under the cursor. */
export function SignalMenu({ view, now, width, height }: SignalMenuProps): ReactElement {
  const inner = innerSize({ width, height });
  return (
    <Frame
      title={`Signals to PID ${view.pid ?? ''}`}
      width={width}
      height={height}
      focused
      rows={rowsOf(view, now, inner)}
    />
  );
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function rowsOf({ pid, target, failure, cursor }: SignalsView, now: number, { width, height }: Size): readonly Line[] {
  const said = (text: string, tone: 'plain' | 'dim' | 'warn' = 'plain') =>
    wrapText(plainText(text), width).map((row): Line => [{ text: row, tone }]);
  if (failure !== undefined) return [[], ...said(failure, 'warn')];
  if (!target) return [[], ...said(`Looking at what PID ${pid ?? ''} does with signals …`, 'dim')];
  const groups = signalNames.map((name, i) => signalRows({ target, name, here: i === cursor, width }));
  const note = said(
    'Enter asks for the PID before a signal is sent. One signal is sent, once; nothing follows by itself.',
    'dim',
  );
  const head = [...said(target.commandLine || target.comm).slice(0, 2), ...said(aboutText(target, now), 'dim')];
  const refused = target.refused === undefined ? [] : [...said(target.refused, 'warn'), []];
  const all = [[], ...head, [], ...refused, ...groups.flat(), [], ...note];
  if (all.length <= height) return all;
  // In a low terminal the signals stay, those around the cursor.
  const above = groups.slice(0, cursor).flat().length;
  const first = Math.max(0, Math.min(above - 1, groups.flat().length - height));
  return groups.flat().slice(first, first + height);
}

const nameWidth = 11;

function signalRows(init: {
  readonly target: SignalTarget;
  readonly name: (typeof signalNames)[number];
  readonly here: boolean;
  readonly width: number;
}): readonly Line[] {
  const { target, name, here, width } = init;
  const { text, refused } = signalEffect(target, name);
  const tone = refused === undefined ? 'plain' : 'dim';
  return wrapText(plainText(text), width - nameWidth).map((row, i): Line => [
    { text: (i > 0 ? '' : `${here ? '▸' : ' '} ${name}`).padEnd(nameWidth), tone: here ? 'focus' : tone },
    { text: row, tone: here && refused === undefined ? 'strong' : tone },
  ]);
}

function aboutText({ state, startedAt, children, comm }: SignalTarget, now: number): string {
  const also = children === 0 ? '' : `, ${children} ${children === 1 ? 'child' : 'children'}`;
  return `${comm}, started ${formatDuration(Math.max(0, now - startedAt) / 1000)} ago, state ${state}${states[state] ?? ''}${also}`;
}

const states: Readonly<Record<string, string>> = {
  R: ' (runs)',
  S: ' (sleeps)',
  D: ' (waits in the kernel)',
  T: ' (is stopped)',
  t: ' (is held by a tracer)',
  Z: ' (has ended, a zombie)',
};
