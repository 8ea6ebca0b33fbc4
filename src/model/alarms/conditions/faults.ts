import { isNvmlBroken } from '../../gpu-faults.ts';
import type { EventSample, FactsSample, GpusSample, KernelSample, LogSample, SourceSample } from '../../samples.ts';
import { nothing, type Finding, type MakeCondition } from '../condition.ts';
import { short } from '../words.ts';
import type { Work } from '../work.ts';
import type { World } from '../world.ts';
import { xidMeaning } from '../xids.ts';

/** A host's clock, and stamps of whole seconds. */
const slackMs = 5000;
/** The log of the run and the kernel's may tell of one fault. */
const sameMs = 120_000;
const mostSeen = 200;
const mostGpus = 64;
const mostOpen = 16;

interface Fault {
  readonly xid: number | undefined;
  readonly gpu: string | undefined;
  readonly at: number;
  readonly text: string;
}

/** Faults of GPUs that the driver tells of, GPUs that are gone, and nvidia-smi that fails. */
export const faults: MakeCondition = (ruleOf) => {
  /** Not told yet. */
  let open: Fault[] = [];
  let recent: Fault[] = [];
  /** Those that rang are over by time: the machine has to hear of them until then. */
  let told = new Map<string, Fault>();
  const seen = new Set<string>();
  const lost = new Map<string, { readonly at: number; readonly text: string } | undefined>();
  const indexes = new Map<string, number>();
  let addresses: ReadonlyMap<string, string> = new Map();
  let hadGpus = false;
  let nvml: { readonly at: number; readonly reason: string } | undefined;
  let wasBroken = false;

  function isSeen(key: string): boolean {
    if (seen.has(key)) return true;
    seen.add(key);
    const [oldest] = seen;
    if (seen.size > mostSeen && oldest !== undefined) seen.delete(oldest);
    return false;
  }

  function add(fault: Fault) {
    const isSame = recent.some(
      ({ xid, gpu, at }) =>
        xid === fault.xid &&
        (gpu === undefined || fault.gpu === undefined || gpu === fault.gpu) &&
        Math.abs(fault.at - at) < sameMs,
    );
    recent = [...recent.slice(1 - mostOpen), fault];
    if (!isSame) open = [...open.slice(1 - mostOpen), fault];
  }

  const gpuAt = (address: string | undefined) => {
    const uuid = address === undefined ? undefined : addresses.get(normal(address));
    const index = uuid === undefined ? undefined : indexes.get(uuid);
    return index !== undefined ? `GPU ${index}` : address;
  };

  /** Of a GPU that is not ours, or of another program on one that the run does not work on. */
  function isForeign(xid: number | undefined, address: string | undefined, work: Work): boolean {
    const uuid = address === undefined ? undefined : addresses.get(normal(address));
    if (address === undefined || addresses.size === 0) return false;
    if (uuid === undefined) return true;
    const own = work.gpus();
    return xidMeaning(xid).isOfProgram === true && own.length > 0 && !own.some((gpu) => gpu.uuid === uuid);
  }

  function takeKernel({ lines }: KernelSample, { beganAt, work }: World) {
    for (const { what, time, text, xid, address } of lines) {
      if (what !== 'xid' || time < beganAt - slackMs || isForeign(xid, address, work) || isSeen(`${time} ${text}`))
        continue;
      add({ xid, gpu: gpuAt(address), at: time, text });
    }
  }

  function takeLog({ lines, backlog }: LogSample, beganAt: number) {
    for (const { event, undated, time, text } of lines) {
      if (event?.kind !== 'xid' || undated || (backlog && time < beganAt)) continue;
      const xid = Number(event.details?.['xid'] ?? NaN);
      const gpu = event.details?.['gpu'];
      add({
        xid: Number.isNaN(xid) ? undefined : xid,
        gpu: typeof gpu === 'number' ? `GPU ${gpu}` : gpuAt(gpu),
        ...{ at: time, text },
      });
    }
  }

  function takeEvent({ event, text, receivedAt }: EventSample) {
    const name = /^GPU \d+/.exec(text)?.[0];
    if (name === undefined || (lost.size >= mostGpus && !lost.has(name))) return;
    if (event === 'gpu lost') lost.set(name, { at: receivedAt, text });
    if (event === 'gpu back' && lost.has(name)) lost.set(name, undefined);
  }

  function takeGpus({ uuid, index }: GpusSample) {
    hadGpus ||= uuid.length > 0;
    for (let row = 0; row < uuid.length; row++)
      if (indexes.size < mostGpus) indexes.set(uuid[row] ?? '', index[row] ?? row);
  }

  function takeFacts({ facts }: FactsSample) {
    const places = Object.entries(facts.nvidia?.places ?? {}).slice(0, mostGpus);
    addresses = new Map(places.map(([uuid, { address }]) => [normal(address), uuid]));
  }

  function takeSource({ source, status, reason, receivedAt }: SourceSample) {
    if (source !== 'gpu') return;
    if (status === 'live') nvml = undefined;
    // Between two attempts it waits; that is the same failure.
    else if (status === 'failed')
      nvml = isNvmlBroken(reason) ? (nvml ?? { at: receivedAt, reason: reason ?? '' }) : undefined;
  }

  function xidsNow(): readonly Finding[] {
    const now = open;
    open = [];
    for (const fault of now) {
      told.delete(keyOf(fault));
      told.set(keyOf(fault), fault);
    }
    told = new Map([...told].slice(-mostOpen));
    return [...told].map(([key, { xid, gpu, at, text }]): Finding => {
      const { words, isOfProgram } = xidMeaning(xid);
      const number = xid === undefined ? 'a fault' : `Xid ${xid}`;
      return {
        ...{ alarm: 'gpu-xid', key, since: at, is: now.some((each) => keyOf(each) === key) ? 'beyond' : 'over' },
        ...(gpu !== undefined && { about: gpu }),
        ...(isOfProgram && { severity: 'warning' }),
        ...(xid !== undefined && { value: xid, unit: '' }),
        text: () => `${gpu ?? 'A GPU'} has ${number}, ${words}: ${short(text)}.`,
      };
    });
  }

  return {
    take(sample, world) {
      if (sample.kind === 'gpus') takeGpus(sample);
      else if (sample.kind === 'kernel') takeKernel(sample, world);
      else if (sample.kind === 'log') takeLog(sample, world.beganAt);
      else if (sample.kind === 'event') takeEvent(sample);
      else if (sample.kind === 'facts') takeFacts(sample);
      else if (sample.kind === 'source') takeSource(sample);
    },
    read(_, { isRunning }) {
      if (open.length + told.size + lost.size === 0 && !nvml && !wasBroken) return nothing;
      const found: Finding[] = [];
      for (const [about, loss] of lost) {
        if (!loss) found.push({ alarm: 'gpu-lost', about, is: 'over', text: () => '' });
        else
          found.push({
            alarm: 'gpu-lost',
            about,
            is: 'beyond',
            since: loss.at,
            text: () => `${short(loss.text, 240)}.`,
          });
      }
      found.push(...xidsNow());
      if (nvml && hadGpus && isRunning) {
        const { at, reason } = nvml;
        wasBroken = true;
        found.push({
          alarm: 'nvml-broken',
          is: 'beyond',
          since: at,
          text: () => `Nothing tells of the GPUs any more: ${short(reason, 240)}.`,
        });
      } else if (wasBroken && !nvml) {
        found.push({ alarm: 'nvml-broken', is: 'over', text: () => '' });
      }
      return found.filter(({ alarm }) => !ruleOf(alarm).off);
    },
    // GPUs are of the host.
    forgetRun() {},
  };
};

const keyOf = ({ xid, gpu }: Fault) => `${xid ?? ''} ${gpu ?? ''}`;

/** `0000:3B:00`, of `PCI:0000:3b:00.0` and `00000000:3B:00.0` too. */
function normal(address: string): string {
  const parts = /([\da-f]{1,8}):([\da-f]{2}):([\da-f]{2})/i.exec(address);
  return parts ? `${(parts[1] ?? '').padStart(8, '0')}:${parts[2]}:${parts[3]}`.toLowerCase() : address;
}
