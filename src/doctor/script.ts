import type { Context } from '../collectors/collector.ts';
import { quote } from '../collectors/quote.ts';
import { findPySpy } from '../collectors/stacks/script.ts';

/** What doctor looks at beside what the sources tell. */
export interface LookAt {
  readonly context: Context;
  /** The process of the run that writes the log, or would be dumped. */
  readonly pid?: number | undefined;
  /** The log, when it is a file. */
  readonly log?: string | undefined;
  /** Its size is read once a second, this often. */
  readonly sizes: number;
}

/** How often the size of the log is read: meanwhile the cost is measured. */
export const sizesRead = 7;

/** Tools that our scripts call. */
const tools = [
  'awk',
  'tail',
  'ls',
  'grep',
  'sed',
  'tr',
  'cut',
  'head',
  'readlink',
  'sleep',
  'cat',
  'id',
  'date',
  'stat',
  'find',
  'dd',
  'wc',
  'od',
  'ps',
];

/** Of these the version is shown: they differ in what they can. */
const withVersion = ['awk', 'tail', 'ps', 'od'];

/**
 * What only doctor wants to know: one `key value` line a fact. It attaches to nothing and pauses nothing: whether py-spy may read the
 * run is told from identities and capabilities. Almost all is built into the shell, for hosts that have little else.
 */
export function doctorScript({ context, pid, log, sizes }: LookAt): string {
  const home = log?.startsWith('~/') ?? false;
  return `
self=$(exec 2>/dev/null; readlink /proc/$$/exe || { read -r c </proc/$$/comm; echo "$c"; })
echo "shell $self \${BASH_VERSION:-\${KSH_VERSION:-}}"
u=$(id -u 2>/dev/null)
{ getent passwd "$u" || cat /etc/passwd; } 2>/dev/null | while IFS=: read -r _ _ n _ _ _ s; do
[ "$n" = "$u" ] && { echo "loginshell $s"; break; }; done
[ -r /proc/self/stat ] && { set -- /proc/[0-9]*; echo "proc $#"; }
while read -r _ m _ o _; do [ "$m" = /proc ] && echo "procmount $o"; done 2>/dev/null </proc/self/mounts
for t in ${tools.join(' ')} nvidia-smi; do p=$(command -v $t 2>/dev/null) && echo "tool $t $p"; done
# The line that names BusyBox, else the first.
version() { n=$1; shift; "$@" 2>&1 </dev/null | { f= i=0; while IFS= read -r l && [ $i -lt 9 ]; do i=$((i+1))
case $l in *BusyBox*) f=$l; break;; esac; [ "$f" ] || f=$l; done; echo "version $n $f"; }; }
for t in ${withVersion.join(' ')}; do command -v $t >/dev/null 2>&1 || continue
case $t in awk) version awk awk -W version;; *) version $t $t --version;; esac; done
status() { while read -r k v; do case $k in Uid:|Gid:|CapPrm:|CapEff:) echo "$1 $k $v";; esac; done 2>/dev/null <"/proc/$2/status"; }
status self self
[ -e /.dockerenv ] && echo 'container docker'; [ -e /run/.containerenv ] && echo 'container podman'
[ "$KUBERNETES_SERVICE_HOST" ] && echo 'container kubernetes'
case $(tr '\\0' '\\n' 2>/dev/null </proc/1/environ) in *container=lxc*) echo 'container lxc';; esac
for d in /dev/nvidia[0-9]*; do [ -e "$d" ] && { [ -r "$d" ] && [ -w "$d" ] && echo "gpudevice $d" || echo "gpudenied $d"; }; done
[ -r /proc/driver/nvidia/version ] && { read -r l </proc/driver/nvidia/version; echo "gpudriver $l"; }
for d in /sys/bus/pci/devices/*; do [ -r "$d/vendor" ] && read -r v <"$d/vendor" && [ "$v" = 0x10de ] &&
read -r c <"$d/class" && case $c in 0x03*) echo "gpupci $d";; esac; done
${pid === undefined ? '' : target(pid)}
( ${findPySpy(context, pid ?? 0)}
[ -z "$t" ] || printf '@py-spy version %s\\n' "$("$t" --version 2>&1 | head -n 1)" ) 2>/dev/null
${log === undefined ? '' : growth({ path: `${home ? '"$userHome"/' : ''}${quote(home ? log.slice(2) : log)}`, sizes })}
echo end`;
}

/** Of its environment one variable is looked for, and only whether it is there leaves the host. */
function target(pid: number): string {
  return `status target ${pid}
if (exec </proc/${pid}/environ) 2>/dev/null; then echo 'environ readable'
tr '\\0' '\\n' </proc/${pid}/environ 2>/dev/null | grep -q '^PYTHONUNBUFFERED=.' 2>/dev/null
case $? in 0) echo 'unbuffered yes';; 1) echo 'unbuffered no';; esac
else echo 'environ denied'; fi`;
}

function growth({ path, sizes }: { readonly path: string; readonly sizes: number }): string {
  return `i=0; while [ $i -lt ${sizes} ]; do set -- $(ls -Lnd ${path} 2>/dev/null); echo "size $5"; i=$((i+1)); [ $i -lt ${sizes} ] && sleep 1; done`;
}
