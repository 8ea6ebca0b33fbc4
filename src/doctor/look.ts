import { safeText } from '../model/text.ts';

/** What doctor's own script found (script.ts). Everything that could not be told is absent. */
export interface Look {
  readonly shell?: { readonly path: string; readonly version?: string };
  readonly loginShell?: string;
  /** Processes that /proc shows; absent when it cannot be read. */
  readonly processes?: number;
  /** The mount option that hides the processes of others. */
  readonly hidepid?: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly self: Identity;
  /** The process that was looked at. */
  readonly target?: Identity & { readonly environReadable: boolean; readonly unbuffered?: boolean };
  readonly containers: readonly string[];
  readonly gpu: GpuSigns;
  readonly pySpy: { readonly path?: string; readonly version?: string; readonly skipped: readonly string[] };
  /** Sizes of the log, a second apart. */
  readonly logSizes: readonly number[];
  /** The script came to its end. */
  readonly whole: boolean;
}

/** A tool that is there. */
export interface Tool {
  readonly path: string;
  readonly version?: string;
}

/** Who a process is, as /proc/PID/status tells. */
export interface Identity {
  /** Real, effective, saved, file system. */
  readonly uids?: readonly number[];
  readonly gids?: readonly number[];
  readonly permitted?: bigint;
  readonly effective?: bigint;
}

/** Signs that there is a GPU, whatever nvidia-smi says. */
export interface GpuSigns {
  readonly devices: readonly string[];
  /** Devices that this user may not open. */
  readonly denied: readonly string[];
  /** The kernel module's version line. */
  readonly driver?: string;
  /** NVIDIA display controllers on the PCI bus. */
  readonly pci: number;
}

/** Reads the answer of doctor's script; odd lines are passed over. */
export function readLook(output: string): Look {
  const all = new Map<string, string[]>();
  for (const line of output.split('\n')) {
    const [, key = '', value = ''] = /^(@py-spy \w+|\S+) ?(.*)$/.exec(line) ?? [];
    all.set(key, [...(all.get(key) ?? []), safeText(value).trim()]);
  }
  const many = (key: string) => (all.get(key) ?? []).filter((value) => value !== '');
  const one = (key: string) => many(key)[0];
  const [path, version] = splitOnce(one('shell'));
  const target = many('target');
  const hidepid = many('procmount').flatMap((options) => /hidepid=(\w+)/.exec(options)?.[1] ?? [])[0];
  const processes = Number(one('proc'));
  return {
    ...(path && { shell: { path, ...(version && { version }) } }),
    ...present('loginShell', one('loginshell')),
    ...(processes > 0 && { processes }),
    ...present('hidepid', hidepid === '0' || hidepid === 'off' ? undefined : hidepid),
    tools: readTools(many('tool'), many('version')),
    self: readIdentity(many('self')),
    ...(target.length > 0 && {
      target: {
        ...readIdentity(target),
        environReadable: one('environ') === 'readable',
        ...(one('unbuffered') !== undefined && { unbuffered: one('unbuffered') === 'yes' }),
      },
    }),
    containers: [...new Set(many('container'))],
    gpu: {
      devices: many('gpudevice'),
      denied: many('gpudenied'),
      ...present('driver', one('gpudriver')),
      pci: many('gpupci').length,
    },
    pySpy: {
      ...present('path', one('@py-spy tool')),
      ...present('version', /[\d.]+/.exec(one('@py-spy version') ?? '')?.[0]),
      skipped: many('@py-spy skipped'),
    },
    logSizes: many('size').map(Number).filter(Number.isFinite),
    whole: all.has('end'),
  };
}

function readTools(found: readonly string[], versions: readonly string[]): ReadonlyMap<string, Tool> {
  const told = new Map(versions.map((line) => splitOnce(line)));
  return new Map(
    found.map((line) => {
      const [name = '', path = ''] = splitOnce(line);
      const version = readVersion(told.get(name));
      return [name, { path, ...present('version', version) }];
    }),
  );
}

/** `tail (GNU coreutils) 9.1` is coreutils 9.1, `BusyBox v1.35.0 (Debian 1:1.35.0-4)` BusyBox 1.35.0, and so on. */
function readVersion(line: string | undefined): string | undefined {
  const [, name, number] =
    /(BusyBox|coreutils|procps(?:-ng)?|GNU Awk|mawk|toybox)\S*(?: version)?[ )]+v?([\d.]*\d)/i.exec(line ?? '') ?? [];
  return name === undefined ? undefined : `${name === 'GNU Awk' ? 'gawk' : name} ${number}`;
}

function readIdentity(lines: readonly string[]): Identity {
  const fields = new Map(lines.map((line) => splitOnce(line)));
  const numbers = (key: string) => {
    const all = fields.get(key)?.split(/\s+/).map(Number);
    return all?.length === 4 && all.every(Number.isInteger) ? all : undefined;
  };
  const mask = (key: string) => {
    const text = fields.get(key) ?? '';
    return /^[0-9a-f]{1,16}$/i.test(text) ? BigInt(`0x${text}`) : undefined;
  };
  return {
    ...present('uids', numbers('Uid:')),
    ...present('gids', numbers('Gid:')),
    ...present('permitted', mask('CapPrm:')),
    ...present('effective', mask('CapEff:')),
  };
}

function splitOnce(line: string | undefined): readonly [string, string] {
  const at = line?.indexOf(' ') ?? -1;
  return at < 0 ? [line ?? '', ''] : [(line ?? '').slice(0, at), (line ?? '').slice(at + 1).trim()];
}

function present<K extends string, V>(key: K, value: V | undefined): { readonly [k in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [k in K]?: V });
}
