import type { AlarmName } from '../model/alarm-samples.ts';
import type { CaptureRequest } from '../model/samples.ts';
import type { SignalName, SignalNews, SignalTarget } from '../model/signals.ts';
import type { RecordingFolder } from './recording-folder.ts';
import { writeTarget, type Ask, type Message } from './protocol.ts';

/** What a watch does for the screens that attach to it: the same as for one of its own. */
export interface WatchHands {
  readonly setInterval: (ms: number) => number;
  readonly connectNow: () => void;
  readonly lookForRuns: () => void;
  readonly chooseRun: (pid: number) => void;
  readonly capture: (request: CaptureRequest, id: string) => { readonly over: Promise<void> };
  readonly cancelCapture: (id: string) => void;
  readonly mark: (text: string, time?: number) => void;
  readonly look: (pid: number) => Promise<SignalTarget | { readonly failure: string }>;
  readonly send: (target: SignalTarget, signal: SignalName, told: (news: SignalNews) => void) => void;
  readonly acknowledge: (id?: string) => void;
  readonly mute: (init: { readonly alarm: AlarmName; readonly about?: string; readonly forMs?: number }) => void;
  readonly unmute: (init: { readonly alarm: AlarmName; readonly about?: string }) => void;
  /** The recording's folder. Absent: none is made. */
  readonly recording?: RecordingFolder;
}

interface Init {
  readonly hands: WatchHands;
  readonly say: (message: Message) => void;
  /** Resolves when there is room for what is large. */
  readonly room: () => Promise<void>;
}

/** Processes that were looked at, and may be sent a signal. */
const mostLooks = 16;

/** Does what one screen asks. */
export function createAnswers({ hands, say, room }: Init): (ask: Ask) => Promise<void> {
  const looks = new Map<number, SignalTarget>();
  /** Files are read one piece after the other. */
  let reading: Promise<unknown> = Promise.resolve();

  function inTurn<T>(read: (folder: RecordingFolder) => Promise<T>): Promise<T> {
    const { recording } = hands;
    if (!recording) return Promise.reject(new Error('Nothing is recorded by this watch (--no-record)'));
    const turn = reading.then(room).then(() => read(recording));
    reading = turn.catch(() => {});
    return turn;
  }

  async function look({ id, pid }: Extract<Ask, { ask: 'look' }>) {
    const found = await hands.look(pid);
    if ('failure' in found) return { failure: found.failure };
    looks.set(id, found);
    for (const oldest of looks.keys()) if (looks.size > mostLooks) looks.delete(oldest);
    return writeTarget(found);
  }

  function send({ id, look, signal }: Extract<Ask, { ask: 'send' }>) {
    const target = looks.get(look);
    const told = (news: SignalNews) => say({ attach: 'news', id, news });
    if (target) hands.send(target, signal, told);
    else told({ text: 'Nothing was sent: look at the process again first.', tone: 'warn', goesOn: false });
  }

  async function valueOf(ask: Ask): Promise<unknown> {
    switch (ask.ask) {
      case 'capture':
        await hands.capture(requestOf(ask.request), ask.capture).over;
        return true;
      case 'cancelCapture':
        return void hands.cancelCapture(ask.capture);
      case 'acknowledge':
        return void hands.acknowledge(ask.alarm);
      case 'mute':
        return void hands.mute({ alarm: ask.alarm, ...given('about', ask.about), ...given('forMs', ask.forMs) });
      case 'unmute':
        return void hands.unmute({ alarm: ask.alarm, ...given('about', ask.about) });
      case 'mark':
        return void hands.mark(ask.text, ask.time);
      case 'interval':
        return hands.setInterval(ask.ms);
      case 'connectNow':
        return void hands.connectNow();
      case 'lookForRuns':
        return void hands.lookForRuns();
      case 'chooseRun':
        return void hands.chooseRun(ask.pid);
      case 'look':
        return look(ask);
      case 'send':
        return void send(ask);
      case 'files':
        return inTurn((folder) => folder.list());
      case 'size':
        return inTurn((folder) => folder.size(ask.file));
      case 'read':
        return inTurn(async (folder) => (await folder.read(ask.file, ask.offset, ask.length)).toString('base64'));
    }
  }

  return async (ask) => {
    const { id } = ask;
    try {
      say({ attach: 'answer', id, value: (await valueOf(ask)) ?? true });
    } catch (error) {
      say({ attach: 'answer', id, failure: error instanceof Error ? error.message : String(error) });
    }
  };
}

function requestOf({ seconds, rate, rounds, everySeconds, blocking, ...request }: AskedCapture): CaptureRequest {
  return {
    ...request,
    ...given('seconds', seconds),
    ...given('rate', rate),
    ...given('rounds', rounds),
    ...given('everySeconds', everySeconds),
    ...given('blocking', blocking),
  };
}

type AskedCapture = Extract<Ask, { ask: 'capture' }>['request'];

function given<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: V };
}
