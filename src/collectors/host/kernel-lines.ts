import type { KernelLine } from '../../model/samples.ts';
import { safeText } from '../../model/text.ts';

const longest = 400;

/**
 * A line of `dmesg` (util-linux, busybox) or `journalctl -o short-monotonic` that tells of an Xid or of a kill for want of memory; undefined for others.
 * Its stamp counts seconds since the boot.
 */
export function readKernelLine(line: string, bootTime: number): KernelLine | undefined {
  const [, stamp, said] =
    /^(?:<\d+>)?\[ *(\d+\.\d+)\](?:\[[^\]]*\])? (?:[^ ]+ kernel: )?(.*)$/.exec(line.slice(0, 2000)) ?? [];
  if (stamp === undefined || said === undefined) return undefined;
  const head = { time: Math.round(bootTime + Number(stamp) * 1000), text: safeText(said).slice(0, longest) };
  const xid = /^NVRM: Xid \((?:PCI:)?([0-9a-f:.]+)\): (\d+)(?:,|$)/i.exec(said);
  if (xid) {
    const pid = /\bpid='?(\d+)/.exec(said)?.[1];
    return {
      ...head,
      what: 'xid',
      xid: Number(xid[2]),
      address: xid[1]!,
      ...(pid !== undefined && { pid: Number(pid) }),
    };
  }
  const kill = /\b(?:out of memory): Kill(?:ed)? process (\d+) /i.exec(said);
  return kill ? { ...head, what: 'oom-kill', pid: Number(kill[1]) } : undefined;
}
