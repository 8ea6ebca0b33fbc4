import type { StackFrame } from '../stacks.ts';
import { byFunction } from './by-function.ts';
import { byState, type FramesTold } from './by-state.ts';
import type { Classified, ClassState, StackClass } from './names.ts';
import { placeOf, type Place } from './place.ts';
import type { ClassRow } from './rows.ts';
import { classTable } from './table.ts';

/** The class of a stack (innermost frame first). The user's own functions tell nothing, whatever they are called. */
export function classify(frames: readonly StackFrame[], state: ClassState = {}): StackClass {
  return explainClass(frames, state).class;
}

/** The class of a stack, with the reason and the frame that told it. */
export function explainClass(frames: readonly StackFrame[], state: ClassState = {}): Classified {
  const known = knownFrames(frames);
  const firstPython = known.findIndex(isPython);
  const machine = firstPython < 0 ? known : known.slice(0, firstPython);
  const calledByPython = machine.length < frames.length;

  const inMachine = readMachine(machine, { calledByPython, state });
  if (inMachine?.row.class === 'GIL wait') return told(inMachine);
  const around = enclosing(known);
  if (around) return told(around);
  if (inMachine && inMachine.row.says !== 'hints') return told(inMachine);

  const native = machine.find(({ place }) => place.from === 'native');
  const inPython = readPython(known.slice(machine.length), inMachine);
  // Machine code was seen: operators and the like, which Python functions only call, were not in it.
  if (inMachine) return told(inPython.told && !isOfPython.has(inPython.told.row.class) ? inPython.told : inMachine);
  if (native) {
    if (inPython.told && !isOfPython.has(inPython.told.row.class)) return told(inPython.told);
    return { class: 'native', because: `runs machine code of ${native.place.name}`, frame: native.at };
  }
  return byState(framesTold(frames, inPython), { ...state, ...(frames.some(isMachine) && { nativeDump: true }) });
}

/** A frame up to the innermost one of the user's. */
interface Known {
  readonly at: number;
  readonly call: string;
  readonly place: Place;
  readonly rows: readonly ClassRow[];
}

interface Told {
  readonly row: ClassRow;
  readonly at: number;
}

interface ToldByPython {
  readonly told?: Told;
  /** The innermost Python frame is of a known library: what has no row there is Python code. */
  readonly isKnown: boolean;
}

/** What a Python function only tells of the code that it calls. */
const isOfPython: ReadonlySet<StackClass> = new Set(['Python', 'kernel launch', 'native']);

function told({ row, at }: Told): Classified {
  return { class: row.class, because: row.because, frame: at };
}

function framesTold(frames: readonly StackFrame[], { told: found, isKnown }: ToldByPython): FramesTold {
  if (found) return { ...told(found), ...(found.row.ifActive && { ifActive: found.row.ifActive }) };
  return isKnown ? 'Python' : !frames.every(isMachine) ? 'unknown Python' : 'no Python';
}

/** The innermost frames as far as they are of libraries: what is around the user's own code says nothing of what that does. */
function knownFrames(frames: readonly StackFrame[]): readonly Known[] {
  const known: Known[] = [];
  for (const [at, frame] of frames.entries()) {
    const { place, rows } = lookUp(frame);
    if (place.from === 'user') break;
    known.push({ at, call: frame.function, place, rows });
  }
  return known;
}

interface LookedUp {
  readonly place: Place;
  /** The rows that it matches, in the order of the table. */
  readonly rows: readonly ClassRow[];
}

const lookUp = byFunction((frame): LookedUp => {
  const place = placeOf(frame);
  return { place, rows: rowsOfFile(place).filter(({ call }) => call.test(frame.function)) };
});

/** Functions are many, their files few. */
const rowsOfFiles = new Map<string, readonly ClassRow[]>();
const mostFiles = 2000;

function rowsOfFile({ from, name }: Place): readonly ClassRow[] {
  if (from === 'user') return [];
  const key = `${from} ${name}`;
  let rows = rowsOfFiles.get(key);
  if (!rows) {
    const table = from === 'library' ? classTable.python : classTable.native;
    rows = table.filter(({ file }) => !file || file.test(name));
    if (rowsOfFiles.size >= mostFiles) rowsOfFiles.clear();
    rowsOfFiles.set(key, rows);
  }
  return rows;
}

function isPython({ place }: Known): boolean {
  return place.from === 'library';
}

function isMachine(frame: StackFrame): boolean {
  const { from } = lookUp(frame).place;
  return from !== 'library' && from !== 'user';
}

/** Of machine code before Python, and of rows the first in the table. */
function enclosing(known: readonly Known[]): Told | undefined {
  let first: (Told & { readonly order: number }) | undefined;
  for (const { at, rows } of known) {
    const row = rows.find(isEnclosing);
    const order = row ? enclosingRows.indexOf(row) : Infinity;
    if (row && order < (first?.order ?? Infinity)) first = { row, at, order };
  }
  return first;
}

function isEnclosing({ says }: ClassRow): boolean {
  return says === 'encloses';
}

const enclosingRows = [...classTable.native, ...classTable.python].filter(isEnclosing);

interface Below {
  readonly calledByPython: boolean;
  readonly state: ClassState;
}

/** The innermost machine code that decides, else the outermost hint: what is nearer to the caller says more. */
function readMachine(machine: readonly Known[], { calledByPython, state }: Below): Told | undefined {
  let hint: Told | undefined;
  for (const [i, frame] of machine.entries()) {
    if (isGilWait(machine, i, calledByPython)) return { row: gilWait, at: frame.at };
    const row = frame.rows.find((each) => !isEnclosing(each) && isUnder(each, machine, i));
    if (!row || (row.says === 'explains' && !hint)) continue;
    const found = { row, at: frame.at };
    if (row.says !== 'hints') return found;
    hint = found;
  }
  const [first] = machine;
  const isNameless = calledByPython && state.active === false && machine.every(isNamelessInSystem);
  return hint ?? (first && isNameless ? { row: semaphore, at: first.at } : undefined);
}

/**
 * A wait for a condition that the interpreter itself does is for the GIL, timed by 5 ms, or for another thread to take it: its locks are
 * semaphores on Linux (CPython 3.2 and later), and py-spy leaves out what is in between. Before that it takes the mutex of the GIL, and a
 * thread that gives it away signals the condition.
 */
const gilWait: ClassRow = {
  class: 'GIL wait',
  says: 'decides',
  call: /^(__)?(GI_)?_*(pthread_cond_(timedwait|clockwait|wait|signal)|pthread_mutex_lock|lll_lock_wait)/,
  because: 'waits for the GIL',
  source: 'CPython 3.11 to 3.13 seen by py-spy 0.4.2 --native; Python/ceval_gil.c',
};

/** All other calls in which one sleeps have names that the C library exports. */
const semaphore: ClassRow = {
  class: 'lock wait',
  says: 'hints',
  call: /^0x/,
  because: 'sleeps in the C library, in a semaphore or a lock',
  source:
    'glibc 2.41 under CPython 3.13, seen by py-spy 0.4.2 --native: sem_clockwait, inside of which it names nothing',
};

function isNamelessInSystem({ place, call }: Known): boolean {
  return place.from === 'system' && semaphore.call.test(call);
}

function isGilWait(machine: readonly Known[], at: number, calledByPython: boolean): boolean {
  const frame = machine[at];
  if (!frame || !gilWait.call.test(frame.call)) return false;
  const caller = machine.slice(at + 1).find(({ place }) => place.from !== 'system');
  if (!caller) return calledByPython;
  // py-spy leaves PyEval_RestoreThread out too: then what Python called seems to wait for a condition itself.
  const isOfPython = caller.place.from === 'interpreter' || ofPython.test(caller.place.name);
  const isTimed = /cond_(timed|clock)wait/.test(frame.call);
  if (!isOfPython || (caller.place.from !== 'interpreter' && !isTimed)) return false;
  return !caller.rows.some((row) => row.class === 'lock wait' && !isEnclosing(row));
}

/** Extension modules, and CPython's sources where there is debug information. */
const ofPython = /\.cpython-3|\.abi3\.|^libtorch_python|module\.c$|^_\w+\.c$/;

/** The innermost Python function of a library that decides, or explains the wait that is in it. */
function readPython(frames: readonly Known[], inMachine: Told | undefined): ToldByPython {
  let hint = inMachine && isWait.has(inMachine.row.class) ? inMachine : undefined;
  let isFirst = true;
  for (const [i, frame] of frames.entries()) {
    if (!isPython(frame) || isTransparent(frame)) continue;
    const row = frame.rows.find(
      (each) => !isEnclosing(each) && (each.says !== 'explains' || hint) && isUnder(each, frames, i),
    );
    if (!row) return { ...toldBy(hint, inMachine), isKnown: isFirst };
    if (row.says !== 'hints') return { told: { row, at: frame.at }, isKnown: true };
    hint = { row, at: frame.at };
    isFirst = false;
  }
  return { ...toldBy(hint, inMachine), isKnown: false };
}

function toldBy(hint: Told | undefined, inMachine: Told | undefined): Pick<ToldByPython, 'told'> {
  return hint && hint !== inMachine ? { told: hint } : {};
}

const isWait: ReadonlySet<StackClass> = new Set(['lock wait', 'network I/O', 'file I/O', 'idle', 'input wait']);

/** Functions around others, which do nothing themselves: decorators, context managers, and the importer's. */
function isTransparent({ call, place }: Known): boolean {
  return transparent.some(([file, calls]) => file.test(place.name) && calls.test(call));
}

const transparent: readonly (readonly [RegExp, RegExp])[] = [
  [/^(contextlib|functools)\.py$/, /(?:)/],
  [/^<frozen importlib\._bootstrap>$/, /^_call_with_frames_removed$/],
  [/^torch\/utils\/_contextlib\.py$/, /^decorate_context$/],
  [/^torch\/distributed\/c10d_logger\.py$/, /(?:)/],
  [/^torch\/_compile\.py$/, /^inner$/],
  [/^torch\/_dynamo\/eval_frame\.py$/, /^_fn$/],
];

function isUnder({ under }: ClassRow, frames: readonly Known[], at: number): boolean {
  if (!under) return true;
  return frames.some(({ call, place }, i) => i > at && under.test(place.from === 'library' ? place.name : call));
}
