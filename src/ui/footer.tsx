import type { ReactElement } from 'react';
import type { Clock } from '../clock.ts';
import { footerKeys, keyLabel } from './keymap.ts';
import type { FooterWhen, Mode } from './keys/context.ts';
import { NoticeLine } from './overlays/notice.tsx';
import type { Line, Segment } from './parts/line.ts';
import { lineWidth } from './parts/render-line.ts';
import { Row } from './parts/row.tsx';
import type { PanelId } from './panels/panel.ts';
import type { UiState } from './ui-state.ts';

interface FooterProps {
  readonly ui: UiState;
  readonly mode: Mode;
  readonly when: Readonly<Record<FooterWhen, boolean>>;
  readonly clock: Clock;
  /** PID of a process that a capture left stopped: it is told of until it goes on. */
  readonly alarm?: number | undefined;
  readonly readOnly?: boolean;
  /** The panel that the keys go to. */
  readonly panel?: PanelId | undefined;
  readonly width: number;
}

/** The last row: the keys of the moment, the filter while it is typed, or a notice. */
export function Footer({ ui, mode, when, clock, alarm, readOnly = false, panel, width }: FooterProps): ReactElement {
  const asks = mode === 'question' || mode === 'form';
  if (ui.filtering && !asks) {
    const filter = { word: 'filter', text: ui.views[ui.filtering].filter };
    return <Row line={typedLine(filter, { mode, when, width })} width={width} />;
  }
  if (mode === 'search' || mode === 'find') {
    const text = mode === 'find' ? (ui.views.log.log?.search ?? '') : ui.reading.search;
    const search = { word: 'search', text };
    return <Row line={typedLine(search, { mode, when, width })} width={width} />;
  }
  if (alarm !== undefined && !asks && (!ui.notice || ui.notice.busy))
    return <Row line={alarmLine(alarm, readOnly)} width={width} />;
  if (ui.notice && !asks) return <NoticeLine notice={ui.notice} clock={clock} width={width} />;
  return <Row line={keysLine({ mode, width, when, readOnly, panel })} width={width} />;
}

/** A run that stands still is told of before all keys. */
function alarmLine(pid: number, readOnly: boolean): Line {
  const keys: Line = readOnly
    ? [{ text: `kill -CONT ${pid} there lets it go on; --read-only sends nothing`, tone: 'bad' }]
    : [
        { text: 'C', tone: 'focus' },
        { text: ' lets it go on (SIGCONT)', tone: 'bad' },
      ];
  return [
    { text: ` ! A capture left PID ${pid} stopped: `, tone: 'bad' },
    ...keys,
    { text: ', ', tone: 'bad' },
    { text: 'X', tone: 'focus' },
    { text: ' leaves it so', tone: 'bad' },
  ];
}

interface KeysInit {
  readonly mode: Mode;
  readonly when: FooterProps['when'];
  readonly width: number;
  readonly readOnly?: boolean;
  readonly panel?: PanelId | undefined;
}

/** As many keys as fit, the most important first. */
function keysLine(init: KeysInit): Line {
  const { mode, when, width, readOnly = false, panel } = init;
  const line: Segment[] = [];
  for (const { keys, footer } of footerKeys(mode, { readOnly, panel })) {
    if (footer?.when !== undefined && !when[footer.when]) continue;
    const label = footer?.instead && when[footer.instead.when] ? footer.instead.label : footer?.label;
    const entry: Line = [
      { text: line.length === 0 ? ' ' : '  ' },
      { text: (footer?.keys ?? keys.slice(0, 1)).map(keyLabel).join(' '), tone: 'focus' },
      { text: ` ${label ?? ''}`, tone: 'dim' },
    ];
    if (lineWidth(line) + lineWidth(entry) > width) break;
    line.push(...entry);
  }
  return line;
}

function typedLine(
  { word, text }: { readonly word: string; readonly text: string },
  init: { readonly mode: Mode; readonly when: FooterProps['when']; readonly width: number },
): Line {
  const { width } = init;
  const keys = keysLine(init);
  // The end of a long text is where one types.
  const room = Math.max(8, width - lineWidth(keys) - word.length - 6);
  const shown = [...text].slice(-room).join('');
  const line: Line = [
    { text: ` ${word} `, tone: 'focus' },
    { text: '/' },
    { text: shown, tone: 'strong' },
    { text: ' ', inverse: true },
  ];
  const gap = width - lineWidth(line) - lineWidth(keys);
  return gap > 0 ? [...line, { text: ' '.repeat(gap) }, ...keys] : line;
}
