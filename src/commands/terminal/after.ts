import { safeText } from '../../model/text.ts';
import type { BridgeEnd } from './bridge.ts';

/** A shell that ended this soon with a fault never was one: what it said is why. */
const atOnceMs = 3000;

/** What there is to say about the end of a shell, as a sentence; undefined for a plain exit. */
export function sayEnd(end: BridgeEnd, { target, lastedMs }: { readonly target: string; readonly lastedMs: number }) {
  if (end.kind === 'ended') return undefined;
  if (end.kind === 'left') return 'The shell was left by ~. and hung up.';
  const { code, signal, lost } = end.exit;
  if (lost) return `The shell ended with the connection to ${target}.`;
  if (signal !== undefined) return `The shell was ended by SIG${signal.replace(/^SIG/, '')}.`;
  if (code === 0) return undefined;
  const said = lastedMs < atOnceMs ? lastLine(end.said) : '';
  return `The shell ended with exit code ${code ?? 'unknown'}${said === '' ? '' : `, saying "${said}"`}.`;
}

function lastLine(said: string): string {
  const lines = said.replace(/\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, '').split(/[\r\n]+/);
  const last = lines.findLast((line) => line.trim() !== '')?.trim() ?? '';
  return /^(?:exit|logout)$/.test(last) ? '' : safeText(last).slice(-200);
}
