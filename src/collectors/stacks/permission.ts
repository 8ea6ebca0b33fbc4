import type { Context } from '../collector.ts';

/** What a line of the facts begins with: `@py-spy right CapEff 00000000a80425fb`. */
export const rightMark = '@py-spy right ';

/**
 * What decides whether a process may be read there, for a py-spy that failed. POSIX sh without a single quote: it stands in a quoted
 * text. /proc/PID belongs to root where the process may not be read by its own user (it is not "dumpable").
 */
export function rightsScript(pid: number): string {
  return `right() { printf "${rightMark}%s %s\\n" "$1" "$2"; }
{ while read -r k v; do case $k in Uid:|CapEff:|Seccomp:) right "$k" "$v";; esac; done </proc/self/status
while read -r k v; do case $k in Uid:|TracerPid:) right "target$k" "$v"
[ "$k" = TracerPid: ] && [ "$v" != 0 ] && read -r n </proc/$v/comm && right tracer "$n";; esac; done </proc/${pid}/status
read -r n </proc/sys/kernel/yama/ptrace_scope && right scope "$n"
read -r n </proc/self/attr/current && right lsm "$n"
right proc "$(ls -nd /proc/${pid} | while read -r _ _ n _; do echo $n; done)"
right userns "$(readlink /proc/self/ns/user) $(readlink /proc/${pid}/ns/user)"
[ -e /.dockerenv ] && right box docker; [ -e /run/.containerenv ] && right box podman
[ -e /var/run/secrets/kubernetes.io ] && right box kubernetes
read -r n </run/systemd/container && right box "$n"
{ tr "\\0" "\\n" </proc/1/environ | sed -n "s/^container=/${rightMark}box /p"; }; } 2>/dev/null`;
}

/** The facts by name; of several values the first. */
export type Rights = ReadonlyMap<string, string>;

interface Init {
  readonly rights: Rights;
  readonly pid: number;
  readonly context: Context;
}

/** CAP_SYS_PTRACE. */
const ptrace = 19;

/** Which permission is missing, from what was read there, and what to do: one sentence. */
export function explainPermission({ rights, pid, context }: Init): string {
  const { host, facts } = context;
  const start = `${facts.user} may not read process ${pid} on ${host}`;
  const uid = numberOf(rights.get('Uid:')) ?? facts.uid;
  const owner = numberOf(rights.get('targetUid:'));
  const scope = numberOf(rights.get('scope')) ?? facts.ptraceScope;
  const effective = rights.get('CapEff:');
  const hasCapability = effective === undefined ? facts.hasPtraceCapability : hasBit(effective, ptrace);
  const tracer = numberOf(rights.get('targetTracerPid:'));

  if (tracer !== undefined && tracer > 0) {
    const name = rights.get('tracer');
    return `${start}: PID ${tracer}${name === undefined ? '' : ` (${name})`} traces it just now, and a process has one tracer at a time; end that one, or wait for it`;
  }
  if (scope === 3) {
    return `${start}: kernel.yama.ptrace_scope is 3, which forbids it to everybody until that host boots anew with a lower one`;
  }
  if (hasCapability === true) return `${start}, though it has CAP_SYS_PTRACE: ${barrier(rights)}`;
  if (uid === 0) return `${start}: this root has no CAP_SYS_PTRACE${shown(effective)}; ${remedy(rights, context)}`;
  if (owner !== undefined && uid !== undefined && owner !== uid) {
    return `${start}: the process is of UID ${owner}${owner === 0 ? ' (root)' : ''}, this is UID ${uid} without CAP_SYS_PTRACE; connect as root or as that user`;
  }
  if (scope === 1 || scope === 2) {
    const who =
      scope === 1 ? 'lets a process be read by its parents only' : 'lets only who has CAP_SYS_PTRACE read a process';
    return `${start}: kernel.yama.ptrace_scope is ${scope}, which ${who}; connect as root, or set it to 0 there (\`sysctl kernel.yama.ptrace_scope=0\`)`;
  }
  if (numberOf(rights.get('proc')) === 0 && owner !== undefined && owner !== 0) {
    return `${start}, which has closed itself to its own user (it is not dumpable, as after a change of user); connect as root`;
  }
  if (boxOf(rights) !== undefined)
    return `${start}: it has no CAP_SYS_PTRACE${shown(effective)}; ${remedy(rights, context)}`;
  return `${start}: it has no CAP_SYS_PTRACE${shown(effective)}; connect as root or as the user who runs it`;
}

const shown = (mask: string | undefined) => (mask === undefined ? '' : ` (CapEff ${mask})`);

/** What else stands between, where the capability is there. */
function barrier(rights: Rights): string {
  const [own, other] = (rights.get('userns') ?? '').split(' ');
  if (own && other && own !== other) {
    return 'the process lives in another user namespace, where this capability does not count; connect to the host, or into its container';
  }
  const profile = rights.get('lsm');
  if (profile !== undefined && !/^unconfined/.test(profile)) {
    return `the security profile "${profile}" may forbid it; start the container without (\`--security-opt apparmor=unconfined\`), or connect to its host`;
  }
  if (rights.get('Seccomp:') === '2') {
    return 'a seccomp filter is set and may forbid ptrace; start the container with `--security-opt seccomp=unconfined`, or connect to its host';
  }
  return 'a security module of that host forbids it; ask who runs it, or connect to the host of the container';
}

/** How the container gets the capability. Each kind has its own way; only some have one that needs no new start. */
function remedy(rights: Rights, { wrap }: Context): string {
  const connect = 'connect to its host instead';
  switch (boxOf(rights)) {
    case 'kubernetes':
      return `in Kubernetes the container needs \`securityContext: {capabilities: {add: [SYS_PTRACE]}}\` in the pod, which takes a new start; or ${connect}`;
    case 'docker':
    case 'podman': {
      const tool = boxOf(rights) ?? '';
      // An exec has the capabilities that it asks for, whatever the container was started with (docker 20, podman 4).
      const now = wrap?.includes(`${tool} exec`)
        ? `without a new start: --wrap '${wrap.replace(`${tool} exec`, `${tool} exec --privileged`)}'`
        : `without a new start, from its host: --wrap '${tool} exec --privileged -i NAME'`;
      return `${now}; with one: \`${tool} run --cap-add SYS_PTRACE\``;
    }
    case 'lxc':
    case 'lxc-libvirt':
      return `in LXC it is taken away by \`lxc.cap.drop\` in the container's configuration (sys_ptrace); or ${connect}`;
    default:
      return `start the container with it (\`--cap-add SYS_PTRACE\`), or ${connect}`;
  }
}

/** Kubernetes runs its containers by others: it is the one to name. */
function boxOf(rights: Rights): string | undefined {
  return rights.get('box kubernetes') ?? rights.get('box');
}

function hasBit(mask: string, bit: number): boolean | undefined {
  return /^[0-9a-f]{1,16}$/i.test(mask) ? ((BigInt(`0x${mask}`) >> BigInt(bit)) & 1n) === 1n : undefined;
}

function numberOf(text: string | undefined): number | undefined {
  const first = /^\d+/.exec(text ?? '')?.[0];
  return first === undefined ? undefined : Number(first);
}

/** Takes a line of the facts in. */
export function keepRight(rights: Map<string, string>, text: string): void {
  const [, name = '', value = ''] = /^(\S+) ?(.*)$/.exec(text) ?? [];
  if (name === 'box' && value === 'kubernetes') rights.set('box kubernetes', value);
  if (!rights.has(name) && rights.size < 32 && value !== '') rights.set(name, value);
}
