import type { Key } from 'ink';
import { focusedPanel, modeOf, type KeyContext, type KeyEntry, type Mode, type Press } from './keys/context.ts';
import { boxKeys } from './keys/boxes.ts';
import { alarmKeys } from './keys/alarms.ts';
import { captureKeys } from './keys/captures.ts';
import { logKeys } from './keys/log.ts';
import { mainKeys } from './keys/main.ts';
import { overlayKeys } from './keys/overlays.ts';
import { readingKeys } from './keys/reading.ts';
import { signalKeys } from './keys/signals.ts';
import { tapeKeys } from './keys/tape.ts';
import { whyKeys } from './keys/why.ts';
import type { PanelId } from './panels/panel.ts';

/** Every key there is. A new key is one entry here; dispatch, footer, help and the docs come from it. */
export const keymap: readonly KeyEntry[] = [
  ...mainKeys,
  ...whyKeys,
  ...alarmKeys,
  ...logKeys,
  ...captureKeys,
  ...boxKeys,
  ...signalKeys,
  ...tapeKeys,
  ...overlayKeys,
  ...readingKeys,
];

/** Does what a key means now. A key that is not enabled says why; one without an entry does nothing. */
export function press(context: KeyContext, pressed: Press): void {
  const mode = modeOf(context);
  const own = byKey.get(`${mode} ${focusedPanel(context)?.id} ${pressed.key}`);
  const general = byKey.get(`${mode} ${pressed.key}`) ?? (pressed.text === '' ? undefined : byKey.get(`${mode} text`));
  const entry = own && (own.applies?.(context) ?? true) ? own : general;
  if (!entry) return;
  const enabled = isOff(entry, context.controls) ? readOnlyText : (entry.enabled?.(context) ?? true);
  if (enabled === true) entry.run(context, pressed);
  else context.dispatch({ type: 'notice', notice: { text: enabled, tone: 'warn' } });
}

const readOnlyText = 'Not with --read-only: it would touch the run.';

/** What a screen with --read-only has not. */
export function isOff({ touches }: KeyEntry, { readOnly = false }: { readonly readOnly?: boolean }): boolean {
  return readOnly && touches === true;
}

/** The entries of the footer for the panel that has the focus, the most important first. */
export function footerKeys(
  mode: Mode,
  { readOnly = false, panel }: { readonly readOnly?: boolean; readonly panel?: PanelId | undefined } = {},
): readonly KeyEntry[] {
  const ofMode = keymap.filter(({ modes }) => modes.includes(mode));
  const own = new Set(ofMode.filter((entry) => entry.panel === panel && !entry.applies).flatMap(({ keys }) => keys));
  return ofMode
    .filter((entry) => entry.footer && !isOff(entry, { readOnly }))
    .filter((entry) => entry.panel === panel || (!entry.panel && !own.has(entry.keys[0] ?? '')))
    .sort((a, b) => (a.footer?.rank ?? 0) - (b.footer?.rank ?? 0));
}

/** How a key is called on the screen. */
export function keyLabel(key: string): string {
  return labels[key] ?? key;
}

const labels: Readonly<Record<string, string>> = {
  Up: '↑',
  Down: '↓',
  'Ctrl-C': '^C',
  'Ctrl-L': '^L',
  'Ctrl-U': '^U',
  Backspace: 'Bksp',
  ' ': 'Space',
};

const byKey = new Map(
  keymap.flatMap((entry) => {
    const places = entry.modes.map((mode) => (entry.panel ? `${mode} ${entry.panel}` : mode));
    return places.flatMap((place) => entry.keys.map((key) => [`${place} ${key}`, entry] as const));
  }),
);

/** What is typed: keys only, the text of a filter, or the fields of a form. */
type Typing = 'keys' | 'filter' | 'form';

/**
 * What Ink's useInput tells as presses. Fast typing over a slow link comes as one text (`jjj`), which is several presses; while
 * text is being typed it is one.
 */
export function presses(input: string, key: Key, typing: Typing): readonly Press[] {
  const name = nameOf(input, key);
  if (name !== undefined) return [{ key: name, text: '' }];
  if (key.ctrl || key.meta) return [];
  if (typing === 'keys') return [...input].flatMap((character) => pressOf(character) ?? []);
  // A password and a code can come at once, with the Enter of each.
  if (typing === 'form') return input.split(/([\x00-\x1f\x7f-\x9f])/).flatMap((text) => pressOf(text) ?? []);
  // Line ends and tabs inside of a paste are no keys; the last one ends it.
  const [, body = '', end = ''] = /^([^]*?)(\r?)$/.exec(input) ?? [];
  return [...body.replace(/[\t\r\n]/g, '').split(/([\x00-\x1f\x7f-\x9f])/), end].flatMap((text) => pressOf(text) ?? []);
}

/** Keys that reach a program as control characters. Ink names those that come alone; over a slow link they come beside others. */
const controlKeys: Readonly<Record<string, string>> = {
  '\x03': 'Ctrl-C',
  '\x0c': 'Ctrl-L',
  '\x15': 'Ctrl-U',
  // In Ctrl-^'s place: screen-input.ts puts it where a terminal sent F9, which Ink 7.1.1 has no name for.
  '\x1e': 'F9',
  '\t': 'Tab',
  '\r': 'Enter',
  '\b': 'Backspace',
  '\x7f': 'Backspace',
};

function pressOf(text: string): Press | undefined {
  const key = controlKeys[text];
  if (key !== undefined) return { key, text: '' };
  return /^[\x00-\x1f\x7f-\x9f]?$/.test(text) ? undefined : { key: text, text };
}

function nameOf(input: string, key: Key): string | undefined {
  if (key.ctrl && input === 'c') return 'Ctrl-C';
  if (key.ctrl && input === 'l') return 'Ctrl-L';
  if (key.ctrl && input === 'u') return 'Ctrl-U';
  if (key.tab) return key.shift ? 'Shift-Tab' : 'Tab';
  if (key.return) return 'Enter';
  if (key.escape) return 'Esc';
  if (key.backspace || key.delete) return 'Backspace';
  if (key.upArrow) return 'Up';
  if (key.downArrow) return 'Down';
  if (key.leftArrow) return key.shift ? 'Shift-Left' : 'Left';
  if (key.rightArrow) return key.shift ? 'Shift-Right' : 'Right';
  if (key.pageUp) return 'PgUp';
  if (key.pageDown) return 'PgDn';
  if (key.home) return 'Home';
  if (key.end) return 'End';
  return undefined;
}
