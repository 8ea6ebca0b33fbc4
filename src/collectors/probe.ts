import type { Clock } from '../clock.ts';
import type { HostFacts, NvidiaFacts, TopFacts } from '../model/facts.ts';
import { safeText } from '../model/text.ts';
import type { CollectorOptions } from './collector.ts';
import { explainGpu } from './gpu/explain.ts';
import { loginShellScript, readLoginShell } from './login-shell.ts';
import { numaScript, placesScript, readNodes, readPlaces } from './numa.ts';
import { quote } from './quote.ts';
import { runJob } from './stream.ts';
import { TransportFault, type Transport } from './transport/transport.ts';
import { explainNoShell } from './wrapper-faults.ts';

/** A sick driver answers nvidia-smi after many seconds; a dead wrapper never. */
const probeTimeoutMs = 30_000;
/** Of a lost link the channels end first; within this time the transport says why. */
const lostMs = 300;
const patientSeconds = 20;

/** Of a transport, what a probe needs. */
type Host = Pick<Transport, 'open' | 'target' | 'wrap'>;

interface Init {
  readonly transport: Host;
  readonly clock: Clock;
  readonly options: CollectorOptions;
  /** How long nvidia-smi may take; default 20. Without persistence mode it wakes one GPU after another, for seconds each. */
  readonly nvidiaSeconds?: number;
}

/** Finds out what the host has. Rejects with a TransportFault when no script runs there. */
export async function probeHost({
  transport,
  clock,
  options,
  nvidiaSeconds = patientSeconds,
}: Init): Promise<HostFacts> {
  const sentAt = clock.now();
  const body = probeScript(options, nvidiaSeconds);
  const result = await runJob({ transport, clock, name: 'probe', body, timeoutMs: probeTimeoutMs });
  if (result.lost) await new Promise<void>((resolve) => clock.after(lostMs, resolve));
  if (!result.began || result.bodyCode === undefined)
    throw new TransportFault(explainNoShell(result, transport, probeTimeoutMs / 1000), false);
  if (/^terminal /m.test(result.output)) throw new TransportFault(describeTerminal(transport), true);
  const [, inner, outer] = /^namespace (\d+) (\d+)$/m.exec(result.output) ?? [];
  if (inner !== outer) throw new TransportFault(describeNamespace(transport), true);
  return readFacts(result.output, { sentAt, receivedAt: clock.now() });
}

/** A terminal prints back what is sent, cuts long lines and adds carriage returns. */
function describeTerminal({ wrap, target }: Host): string {
  const what = wrap ? `\`${wrap}\`` : target;
  return `${what} gives its command a terminal, which changes what passes through it: leave out -t or --pty.`;
}

/** Every figure would be of processes that our PIDs do not name. */
function describeNamespace({ wrap, target }: Host): string {
  const what = wrap ? `\`${wrap}\`` : target;
  return `/proc behind ${what} is of another PID namespace than its command: enter the mount namespace too (nsenter -m -p).`;
}

/**
 * One `key value` line a fact; a tool that is not there prints none. The clock comes first: it is compared with ours.
 *
 * nvidia-smi hangs where the driver does, in the kernel and deaf to signals: the shells that wait for it are ended, and the
 * rest of the host is watched. Of one that does not stop printing the beginning is enough.
 */
export function probeScript(options: CollectorOptions, nvidiaSeconds = patientSeconds): string {
  const pySpy = options.pySpy === undefined ? '' : quote(options.pySpy);
  return `
echo "clock $(date +%s.%N) $(date +%s) $(date +%z)"
read -r up _ </proc/uptime; echo "uptime $up"
b=/proc/sys/kernel/random/boot_id; [ -r $b ] && echo "boot $(cat $b)"
sh -c 'read -r p _ </proc/self/stat && echo "namespace $p $$"'
[ -t 1 ] && echo "terminal $(tty <&1)"
echo "hostname $(hostname 2>/dev/null || uname -n)"
echo "kernel $(uname -sr)"
echo "user $(id -un 2>/dev/null || id -u)"
echo "uid $(id -u)"
${loginShellScript}
echo "ticks $(getconf CLK_TCK 2>/dev/null)"
echo "page $(getconf PAGESIZE 2>/dev/null)"
echo "cores $(getconf _NPROCESSORS_ONLN 2>/dev/null || grep -c ^processor /proc/cpuinfo)"
set -- /proc/[0-9]*/task/[0-9]*; echo "threads $#"
case $(awk -W version 2>&1 </dev/null) in mawk*) echo 'awk mawk';; GNU*) echo 'awk gawk';; *BusyBox*|*busybox*) echo 'awk busybox';;
*) command -v awk >/dev/null && echo 'awk other';; esac
# procps 4 tells its version by -V (and takes -v for nothing), procps 3 by -v, busybox in any error.
command -v top >/dev/null && echo "top $( (top -V; top -v) 2>&1 </dev/null | grep -iE 'procps|busybox' | head -n 1)"
command -v pidstat >/dev/null && echo "pidstat $(pidstat -V 2>&1 | head -n 1)"
command -v tail >/dev/null && echo 'tail yes'
echo "ptrace $(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null)"
while read -r k v; do case $k in CapEff:) echo "capeff $v";; esac; done </proc/self/status
for p in ${pySpy} "$(command -v py-spy)" "$userHome/.local/bin/py-spy" /usr/local/bin/py-spy /opt/conda/bin/py-spy; do
[ -n "$p" ] && [ -x "$p" ] && { printf 'pyspy %s\\n' "$p"; break; }; done
${numaScript}
if command -v nvidia-smi >/dev/null; then
nl='
'
ask() { a=$( { nvidia-smi --query-gpu=driver_version,index,uuid,name --format=csv,noheader "$@" 2>&1; echo "code $?"; } | head -c 20000)
case $a in *"code "[0-9]*) r=\${a##*code } a=\${a%code *} a=\${a%"$nl"};; *) r=1;; esac; }
gpus() {
placed=
for f in /proc/driver/nvidia/gpus/*/information; do [ -r "$f" ] && u= && while read -r a b c; do
case "$a $b" in 'GPU UUID:') u=$c;; 'Device Minor:') echo "gpuminor $u $c";; esac; done <"$f" &&
[ -n "$u" ] && g=\${f%/*} && placed=1 && place "$u" "\${g##*/}"; done
ask; d=$a
# One lost GPU fails the query of all: then each is asked alone. 580 answers an index that is not there with "No devices".
case $r:$d in 0:*) ;; *'device handle'*|*'is lost'*) i=0 all=
while [ $i -lt 32 ]; do ask -i $i; [ $r = 0 ] && all="$all$a$nl" || case $a in *'No devices'*) break;; esac; i=$((i + 1)); done
r=1; [ -n "$all" ] && d=$all r=0;; esac
printf '%s\\n' "$d" | sed 's/^/gpu /'; echo "gpucode $r"
# "clocks.current.sm" or "clocks.sm", alone on its line; some descriptions begin with a quoted word too.
[ $r = 0 ] && nvidia-smi --help-query-gpu 2>/dev/null | head -c 200000 |
sed -n 's/^\\("[A-Za-z0-9_.]*"\\( or "[A-Za-z0-9_.]*"\\)*\\) *$/field \\1/p' | sed 's/"//g; s/ or / /g'
[ $r = 0 ] && {${placesScript}
}
}
gpus & g=$!
{ sleep ${nvidiaSeconds}; echo 'gpuhangs ${nvidiaSeconds}'; kill $g; } 2>/dev/null & w=$!
wait $g; kill $w
else echo 'gpu none'; fi`;
}

/** Reads the script's answer. Exported for the tests on captured answers. */
export function readFacts(output: string, times: { readonly sentAt: number; readonly receivedAt: number }): HostFacts {
  const all = new Map<string, string[]>();
  for (const line of output.split('\n')) {
    const at = line.indexOf(' ');
    const key = at < 0 ? line : line.slice(0, at);
    const values = all.get(key) ?? [];
    values.push(safeText(at < 0 ? '' : line.slice(at + 1)).trim());
    all.set(key, values);
  }
  const one = (key: string) => all.get(key)?.[0] || undefined;
  const number = (key: string) => {
    const value = Number(one(key));
    return one(key) !== undefined && Number.isFinite(value) ? value : undefined;
  };
  const clock = readClock(one('clock'), times);
  const uid = number('uid');
  const cores = number('cores');
  const threadCount = number('threads');
  const loginShell = readLoginShell(output);
  const capabilities = /^[0-9a-f]{1,16}$/i.exec(one('capeff') ?? '')?.[0];
  const bootId = one('boot');
  const numaNodes = readNodes(all.get('numa') ?? []);
  const top = readTop(one('top'));
  const awk = one('awk') as HostFacts['awk'];
  const pySpy = one('pyspy');
  const ptraceScope = number('ptrace');
  const pidstatVersion = /[\d.]+/.exec(one('pidstat') ?? '')?.[0];
  return {
    // Without hostname and uname the host has no name of its own.
    hostname: one('hostname') ?? 'the host',
    ...(one('kernel') !== undefined && { kernel: one('kernel') as string }),
    user: one('user') ?? 'the user there',
    ...(uid !== undefined && { uid }),
    ...(loginShell !== undefined && { loginShell }),
    // Linux has had USER_HZ 100 on every architecture that runs CUDA; asked because containers may lack getconf.
    clockTicks: number('ticks') ?? 100,
    pageSize: number('page') ?? 4096,
    ...(cores !== undefined && { cores }),
    ...(threadCount !== undefined && { threadCount }),
    ...(bootId !== undefined && { bootId }),
    bootTime: clock.hostNow - clock.offsetMs - (number('uptime') ?? 0) * 1000,
    clockOffsetMs: clock.offsetMs,
    utcOffsetMinutes: clock.utcOffsetMinutes,
    ...(awk && { awk }),
    ...(top && { top }),
    ...(pidstatVersion && { pidstatVersion }),
    tailFollows: one('tail') !== undefined,
    ...(numaNodes && { numaNodes }),
    ...readNvidia(all),
    ...(pySpy && { pySpy }),
    ...(ptraceScope !== undefined && { ptraceScope }),
    // CAP_SYS_PTRACE is bit 19 (capabilities(7)).
    ...(capabilities && { hasPtraceCapability: (BigInt(`0x${capabilities}`) & (1n << 19n)) !== 0n }),
  };
}

function readClock(line: string | undefined, { sentAt, receivedAt }: { sentAt: number; receivedAt: number }) {
  const [fine = '', coarse = '', zone = ''] = (line ?? '').split(' ');
  // busybox date prints no %N.
  const isFine = /^\d+\.\d+$/.test(fine);
  const seconds = isFine ? Number(fine) : Number(coarse) + 0.5;
  const middle = (sentAt + receivedAt) / 2;
  const hostNow = Number.isFinite(seconds) && seconds > 1 ? seconds * 1000 : middle;
  const sign = zone.startsWith('-') ? -1 : 1;
  const utcOffsetMinutes = /^[+-]\d{4}$/.test(zone)
    ? sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3)))
    : 0;
  // The clock is the script's first act: it was read near the middle between sending and the first byte back; the whole
  // answer takes longer, so this is biased early by half the probe's own time when the host is slow.
  const offsetMs = Math.round(hostNow - middle);
  // Within the error of the measurement a host is in step: two clocks synchronised by NTP stay equal.
  const errorMs = (receivedAt - sentAt) / 2 + 20 + (isFine ? 0 : 500);
  const inStep = Math.abs(offsetMs) <= errorMs;
  return { hostNow: inStep && !isFine ? middle : hostNow, offsetMs: inStep ? 0 : offsetMs, utcOffsetMinutes };
}

function readTop(line: string | undefined): TopFacts | undefined {
  if (line === undefined) return undefined;
  const version = /procps(?:-ng)?(?: version)?\s+(\d+)\.(\d+)(?:\.(\d+))?/.exec(line);
  if (!version) return { flavour: /busybox/i.test(line) ? 'busybox' : 'other', leaderRowIsTotal: false };
  const [, major = '', minor = '', patch = '0'] = version;
  return {
    flavour: 'procps',
    version: `${major}.${minor}.${patch}`,
    leaderRowIsTotal: major === '4' && minor === '0' && Number(patch) <= 3,
  };
}

function readNvidia(all: ReadonlyMap<string, readonly string[]>): {
  readonly nvidia?: NvidiaFacts;
  readonly nvidiaMissing?: string;
} {
  const rows = all.get('gpu') ?? [];
  if (rows[0] === 'none') return { nvidiaMissing: 'nvidia-smi is not on the PATH of this host: no GPU is shown' };
  const gpus = rows.filter((row) => /^[\d.]+, \d+, GPU-/.test(row));
  if (gpus.length === 0) return { nvidiaMissing: whyNoGpu(all, rows) };
  const driverVersion = gpus[0]?.split(', ')[0];
  const fields = (all.get('field') ?? []).flatMap((line) => line.split(/\s+/)).filter((name) => name !== '');
  const minors = Object.fromEntries(
    (all.get('gpuminor') ?? []).flatMap((line) => {
      const [, uuid, minor] = /^(GPU-[\w-]+) (\d+)$/.exec(line) ?? [];
      return uuid === undefined ? [] : [[uuid, Number(minor)]];
    }),
  );
  const hasMinors = Object.keys(minors).length > 0;
  const places = readPlaces(all.get('gpuplace') ?? []);
  return {
    nvidia: {
      ...(driverVersion && { driverVersion }),
      fields,
      gpuCount: gpus.length,
      ...(hasMinors && { minors }),
      ...(places && { places }),
    },
  };
}

function whyNoGpu(all: ReadonlyMap<string, readonly string[]>, rows: readonly string[]): string {
  const said = rows.join(' ').trim().slice(0, 200);
  const hang = all.get('gpuhangs')?.[0];
  if (hang !== undefined && said === '')
    return `nvidia-smi gave no answer in ${hang} s: the driver may hang (see Xid lines in dmesg); it is asked again when traintop connects again`;
  const nothing = `saying nothing (code ${all.get('gpucode')?.[0] ?? 'unknown'})`;
  return explainGpu(rows.join('\n'))?.reason ?? `nvidia-smi gave no GPU, ${said === '' ? nothing : `saying: ${said}`}`;
}
