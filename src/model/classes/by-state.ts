import type { Classified, ClassState, StackClass } from './names.ts';

/** What the frames say without the thread's state: a class of the table, or what kind of frames there are. */
export type FramesTold = (Classified & { readonly ifActive?: StackClass }) | 'Python' | 'unknown Python' | 'no Python';

/** The state, and whether the frames of machine code would be there if it were in any. */
interface State extends ClassState {
  readonly nativeDump?: true;
}

/** The class of a stack without machine code: what its innermost Python function was in, by the thread's state. */
export function byState(frames: FramesTold, state: State): Classified {
  if (frames === 'no Python') return withoutPython(state);
  if (state.ownsGil) return withGil(frames);
  if (typeof frames === 'object') return ofFunction(frames, state);
  if (isForGil(state)) return forGil;
  if (state.nativeDump) return { class: 'Python', because: 'is in Python code, and in no machine code' };
  if (state.active === false) return asleep(state);
  if (frames === 'Python') return { class: 'Python', because: 'is in Python code of a library' };
  if (state.active)
    return {
      class: 'native',
      because: 'runs machine code without the GIL, called from Python: a native dump tells which',
    };
  return byShares(state);
}

const forGil: Classified = {
  class: 'GIL wait',
  because: 'is asleep in Python code while another thread has the GIL: a native dump tells it from a wait of its own',
};

/** Who has the GIL runs Python, or C code that keeps it. */
function withGil(frames: FramesTold): Classified {
  if (typeof frames === 'object' && frames.class === 'compile') return bare(frames);
  return { class: 'Python', because: 'held the GIL' };
}

function ofFunction(found: Exclude<FramesTold, string>, state: ClassState): Classified {
  if (found.ifActive && state.active)
    return { ...bare(found), class: found.ifActive, because: 'does it in this thread' };
  // What comes back at once and then needs the GIL is asleep for that, where another thread has it.
  if (isBrief.has(found.class) && isForGil(state)) return forGil;
  return bare(found);
}

const isBrief: ReadonlySet<StackClass> = new Set([
  'file I/O',
  'kernel launch',
  'allocator',
  'copy',
  'Python',
  'native',
]);

function bare({ class: name, because, frame }: Classified): Classified {
  return { class: name, because, ...(frame !== undefined && { frame }) };
}

/** Asleep while another thread has the GIL, and not for long: who waits for it wakes every 5 ms. */
function isForGil({ active, gilElsewhere, stillIn }: ClassState): boolean {
  return active === false && gilElsewhere === true && stillIn === undefined;
}

/** py-spy lists threads that have been in Python once, also when they are not. */
function withoutPython({ active, ownsGil }: ClassState): Classified {
  if (ownsGil) return { class: 'native', because: 'held the GIL in machine code, with no Python frame' };
  if (active === undefined)
    return { class: 'unknown', because: 'is not in Python, and a record does not tell whether it works' };
  if (active) return { class: 'native', because: 'runs machine code: a native dump tells which' };
  return { class: 'idle', because: 'is asleep, and not in Python' };
}

/** Asleep in a call that shows no frame; the kernel's word tells what kind of call. */
function asleep({ stillIn }: ClassState): Classified {
  const known = stillIn === undefined ? undefined : waits.get(stillIn);
  return known ?? { class: 'idle', because: 'is asleep in a call that a plain dump does not show: a native dump does' };
}

const waits: ReadonlyMap<string, Classified> = new Map<string, Classified>(
  Object.entries({
    futex: { class: 'lock wait', because: 'waits in a futex, for another thread' },
    sleep: { class: 'idle', because: 'sleeps for a time' },
    child: { class: 'lock wait', because: 'waits for a child process' },
    'file lock': { class: 'lock wait', because: 'waits for the lock of a file' },
    poll: { class: 'network I/O', because: 'waits for a file descriptor' },
    network: { class: 'network I/O', because: 'waits for a socket' },
    read: { class: 'file I/O', because: 'reads, from a file or a pipe' },
    write: { class: 'file I/O', because: 'writes, to a file or a pipe' },
    sync: { class: 'file I/O', because: 'waits for a disk to have all' },
    file: { class: 'file I/O', because: 'waits for a file system' },
    ioctl: { class: 'native', because: 'waits for a driver' },
    signal: { class: 'idle', because: 'waits for a signal' },
  } satisfies Record<string, Classified>),
);

/** A record tells neither activity nor the GIL: its thread's use of both may. */
function byShares({ stillIn, cpuShare, gilShare }: ClassState): Classified {
  if (stillIn !== undefined) return asleep({ stillIn });
  if (gilShare !== undefined && gilShare >= 0.5)
    return { class: 'Python', because: 'is in Python code, of a thread that mostly had the GIL' };
  if (cpuShare !== undefined && cpuShare <= 0.25)
    return { class: 'idle', because: 'is in a call of a thread that mostly slept' };
  if (cpuShare !== undefined && cpuShare >= 0.5 && gilShare !== undefined && gilShare < 0.25)
    return { class: 'native', because: 'is in a call of a thread that mostly worked without the GIL' };
  return {
    class: 'unknown',
    because: 'is in code of the run itself: a record does not tell Python from what it calls (G and D do)',
  };
}
