import type { GpuPlace, NumaNode } from '../model/facts.ts';

/**
 * Shell: `numa NODE CORES` for each node of memory, and the function `place UUID ADDRESS`, which says `gpuplace UUID ADDRESS NODE CORES` of a
 * GPU. nvidia-smi writes an address as 00000000:8A:00.0, /sys as 0000:8a:00.0.
 */
export const numaScript = `
for n in /sys/devices/system/node/node[0-9]*; do [ -r "$n/cpulist" ] && read -r c <"$n/cpulist" && echo "numa \${n##*node} $c"; done
place() { a=$2; case $a in ????????:*) a=\${a#????};; esac; b=/sys/bus/pci/devices/$a n=- c=-
[ -r "$b/numa_node" ] && read -r n <"$b/numa_node"; [ -r "$b/local_cpulist" ] && read -r c <"$b/local_cpulist"
echo "gpuplace $1 $a \${n:--} \${c:--}"; }`;

/**
 * Shell, after the GPUs were listed: asks nvidia-smi for the addresses where /proc/driver/nvidia did not tell them (`placed` is empty).
 */
export const placesScript = `
[ -z "$placed" ] && nvidia-smi --query-gpu=uuid,pci.bus_id --format=csv,noheader 2>/dev/null | head -c 20000 | tr 'A-F' 'a-f' |
while IFS=', ' read -r u a; do case $u in GPU-*) place "$u" "$a";; esac; done`;

const cores = /^\d+(-\d+)?(,\d+(-\d+)?)*$/;

/** Reads the `numa` lines; undefined where there are none. */
export function readNodes(lines: readonly string[]): readonly NumaNode[] | undefined {
  const nodes = lines.flatMap((line) => {
    const [node = '', list = ''] = line.split(' ');
    // A node of memory alone has no cores.
    return /^\d{1,5}$/.test(node) && cores.test(list) ? [{ node: Number(node), cores: list }] : [];
  });
  return nodes.length > 0 ? nodes.sort((a, b) => a.node - b.node) : undefined;
}

/** Reads the `gpuplace` lines; undefined where there are none. */
export function readPlaces(lines: readonly string[]): Readonly<Record<string, GpuPlace>> | undefined {
  const places = lines.flatMap((line): [string, GpuPlace][] => {
    const [uuid = '', address = '', node = '', list = ''] = line.split(' ');
    if (!/^GPU-[\w-]+$/.test(uuid) || !/^[0-9a-f:.]+$/i.test(address)) return [];
    const isKnown = /^\d{1,5}$/.test(node);
    return [
      [uuid, { address, ...(isKnown && { node: Number(node) }), ...(isKnown && cores.test(list) && { cores: list }) }],
    ];
  });
  return places.length > 0 ? Object.fromEntries(places) : undefined;
}
