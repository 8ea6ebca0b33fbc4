import { lackSentences } from '../../model/waits/lacks.ts';
import { checksOf, type Check, type Told } from '../check.ts';
import type { Findings } from '../findings.ts';
import { tellSource } from './source.ts';

const check = checksOf('Threads');

/** The threads of the run, and the busiest beside it. */
export function threadChecks(findings: Findings): readonly Check[] {
  const { state, options } = findings;
  const threads = state?.threads;
  const count = threads
    ? `${threads.tid.length} thread${threads.tid.length === 1 ? '' : 's'} every ${options.intervalMs / 1000} s, by ${threads.reader}`
    : '';
  return [
    check('threads', 'threads', state?.run?.run ? tellSource(findings, 'threads', count) : noRun),
    check('threads.waits', 'waits', state?.run?.run ? tellWaits(findings) : noRun),
    check('threads.numa', 'NUMA', tellNuma(findings)),
    check('threads.busiest', 'busiest', tellBusiest(findings)),
  ];
}

const noRun: Told = { status: 'note', found: 'no run is watched' };

/** What threads wait in is read everywhere; what of it may not be read is said once, here and in the line of the thread under the cursor. */
function tellWaits(findings: Findings): Told {
  const { state } = findings;
  const told = tellSource(findings, 'waits', 'calls, places in the kernel and switches of threads');
  const lacks = lackSentences(state?.waits?.lacks ?? {}, state?.facts);
  if (told.status !== 'ok' || lacks.length === 0) return told;
  const isRefused = state?.waits?.lacks.call === 'refused';
  return {
    status: 'note',
    found: 'what threads wait in is known in part',
    why: lacks.join('; '),
    mend: isRefused ? 'log in as root, or as who runs it, or give the user CAP_SYS_PTRACE' : undefined,
  };
}

/** Which cores are near which GPU: what a mark at a far core leans on. */
function tellNuma({ state }: Findings): Told {
  const nodes = state?.facts?.numaNodes;
  const marks = 'a thread far from its GPU is not marked';
  if (!nodes)
    return {
      status: 'note',
      found: 'no nodes of memory',
      why: `/sys/devices/system/node is not there (a container may hide it): ${marks}`,
    };
  const [only] = nodes;
  if (nodes.length === 1) return { status: 'ok', found: `one node (cores ${only?.cores}): every core is near` };
  const all = `${nodes.length} nodes`;
  const { nvidia } = state.facts ?? {};
  if (!nvidia) return { status: 'ok', found: `${all}, no GPU` };
  const places = Object.values(nvidia.places ?? {});
  if (places.length === 0)
    return { status: 'note', found: all, why: `nothing tells where the GPUs are on the PCI bus: ${marks}` };
  const unknown = places.filter(({ node }) => node === undefined);
  if (unknown.length > 0)
    return {
      status: 'note',
      found: `${all}, ${spellGpus(unknown.length)} at an unknown one`,
      why: `the kernel does not say (numa_node is -1, as in virtual machines) or /sys/bus/pci is hidden: ${marks}`,
    };
  const byNode = nodes.flatMap(({ node }) => {
    const count = places.filter((place) => place.node === node).length;
    return count === 0 ? [] : [`${spellGpus(count)} at node ${node}`];
  });
  return { status: 'ok', found: `${all}, ${byNode.join(', ')}` };
}

const spellGpus = (count: number) => `${count} GPU${count === 1 ? '' : 's'}`;

/** Its first frame takes longer than anybody waits for doctor. */
function tellBusiest(findings: Findings): Told {
  const told = tellSource(findings, 'busiest', 'by top');
  if (told.status !== 'unknown' || told.why !== undefined) return told;
  return { status: 'ok', found: 'by top: it runs' };
}
