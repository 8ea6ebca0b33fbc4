import type { SignalTarget } from '../../model/signals.ts';
import { safeText } from '../../model/text.ts';
import type { Context } from '../collector.ts';
import { mark } from './script.ts';

/** The host's clock may have been set between two probes: start times of one process differ by so much. */
const sameStartMs = 5000;
const mostCommand = 500;

/** Reads the answer of the look. A sentence where there is no such process, or not the one that the run had. */
export function readTarget(
  output: string,
  { pid, context }: { readonly pid: number; readonly context: Context },
): SignalTarget | { readonly failure: string } {
  const said = new Map<string, string[]>();
  for (const line of output.split('\n')) {
    if (!line.startsWith(mark)) continue;
    const [, word = '', value = ''] = /^(\S+) ?(.*)$/.exec(line.slice(mark.length)) ?? [];
    said.set(word, [...(said.get(word) ?? []), safeText(value).trim()]);
  }
  const one = (word: string) => said.get(word)?.[0] ?? '';
  const { host, facts, run } = context;
  if (said.has('gone')) return { failure: `There is no PID ${pid} on ${host} any more.` };
  const startTicks = one('start');
  const masks = ['SigIgn:', 'SigCgt:', 'SigPnd:', 'ShdPnd:'].map((name) => maskOf(one(name)));
  const [ignored, caught, pendingThread, pendingShared] = masks;
  // It may have ended between two lines of the look.
  if (!said.has('end') || !/^\d+$/.test(startTicks) || ignored === undefined || caught === undefined)
    return { failure: `PID ${pid} on ${host} could not be read: it may have just ended; try again.` };
  const startedAt = facts.bootTime + (Number(startTicks) / facts.clockTicks) * 1000;
  const comm = one('Name:') || '?';
  const known = run?.processes.find((process) => process.pid === pid);
  if (known?.startTime !== undefined && Math.abs(known.startTime - startedAt) > sameStartMs)
    return { failure: `PID ${pid} of the run is gone; another process (${comm}) has the PID now.` };
  // A thread that ended during the look is no line; one whose mask could not be read blocks nothing for sure.
  const blocks = (said.get('SigBlk:') ?? []).map((mask) => maskOf(mask) ?? 0n);
  const namespaces = one('NSpid:').split(/\s+/);
  const depth = namespaces.length - one('ours').split(/\s+/).length;
  return {
    pid,
    comm,
    commandLine: one('command').slice(0, mostCommand),
    startTicks,
    startedAt,
    state: one('state').slice(0, 1),
    ignored,
    caught,
    blocked: blocks.length === 0 ? 0n : blocks.reduce((all, mask) => all & mask),
    pending: (pendingThread ?? 0n) | (pendingShared ?? 0n),
    ...(namespaces.at(-1) === '1' && { init: depth > 0 ? ('inner' as const) : ('own' as const) }),
    children: run?.processes.filter(({ parentPid }) => parentPid === pid).length ?? 0,
    ...(said.has('refused') && { refused: describeRefusal(one('Uid:'), one('refused'), { pid, context }) }),
  };
}

function maskOf(text: string): bigint | undefined {
  return /^[0-9a-f]{1,32}$/i.test(text) ? BigInt(`0x${text}`) : undefined;
}

function describeRefusal(
  uids: string,
  said: string,
  { pid, context }: { readonly pid: number; readonly context: Context },
) {
  const { host, facts } = context;
  const owner = /^\d+/.exec(uids)?.[0];
  if (!/permitted/i.test(said))
    return `${facts.user} may not signal PID ${pid} on ${host}: ${said.split(': ').at(-1)}.`;
  const whose = owner === undefined ? "it is another user's" : `it is of UID ${owner}${owner === '0' ? ' (root)' : ''}`;
  return `No permission: ${facts.user}${facts.uid === undefined ? '' : ` (UID ${facts.uid})`} may not signal PID ${pid} on ${host}, ${whose}; connect as root or as that user.`;
}
