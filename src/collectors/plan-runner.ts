import type { Clock } from '../clock.ts';
import { createBackoff } from './backoff.ts';
import { lastWords } from '../model/text.ts';
import type { Sample } from '../model/samples.ts';
import type { Context, Explanation, Parser, Plan } from './collector.ts';
import type { Sessions } from './sessions.ts';
import type { SourceStates } from './source-states.ts';
import { startStream, type Stream, type StreamEnd } from './stream.ts';
import { TransportFault, type Transport } from './transport/transport.ts';

/** Keeps one Plan running until it is stopped. */
export interface PlanRunner {
  /** Those that it reads for. */
  sources(): readonly string[];
  /** A plan with the same key: its tick's pace may have changed. */
  update(plan: Plan): void;
  stop(): void;
  /** PID on the host of the shell that runs it. */
  shellPid(): number | undefined;
  /** No restart helps: it needs no session any more. */
  hasGivenUp(): boolean;
  /** What has been read, of a plan that can go on from there. */
  progress(): Parser | undefined;
}

interface Init {
  readonly plan: Plan;
  readonly transport: Transport;
  /** Absent: a session is there whenever it is wanted. */
  readonly sessions?: Sessions;
  readonly clock: Clock;
  readonly states: SourceStates;
  readonly context: () => Context | undefined;
  readonly onSample: (sample: Sample) => void;
  /** A tick was answered after this many ms. */
  readonly onRoundTrip?: (ms: number) => void;
  /** The shell went before the command was through: others may go with it. */
  readonly onCut?: (end: StreamEnd) => void;
  /** No restart helps: its session is free. */
  readonly onGivenUp?: () => void;
  /** The progress of the runner of the same plan before the link was lost. */
  readonly previous?: Parser | undefined;
}

/** A lost link is said within this time of the end of its channels. */
const lostMs = 3000;
/** Of several that are cut at once, whoever sees all of them says why within this time. */
const cutMs = 800;
/** What ran this long is no failure: its end is the first. */
const holdMs = 10_000;
/** A talk in which a line was lost, as by a wrapper's text among it, waits for ever: it begins anew after this long, or longer. */
const muteMs = 60_000;

/** Starts the plan's stream, and keeps it running until it is stopped or a fault says that trying again is no use. */
export function createPlanRunner({
  plan: first,
  transport,
  sessions,
  clock,
  states,
  context,
  onSample,
  onRoundTrip,
  onCut,
  onGivenUp,
  previous,
}: Init): PlanRunner {
  let plan = first;
  const goesOn = previous !== undefined && plan.resume !== undefined;
  let parser = goesOn ? previous : plan.parser();
  let stream: Stream | undefined;
  let shellPid: number | undefined;
  let stopped = false;
  let hasGivenUp = false;
  const backoff = createBackoff({ clock, holdMs });
  let tickedAt: number | undefined;
  let isMute = false;
  /** Lines that came. */
  let heard = 0;
  let isLooking = false;
  let cancelTick = () => {};
  let cancelMute = () => {};
  let cancelRestart = () => {};

  const isWanted = () => !stopped;
  /** With those that turned out to be there. */
  const sources = new Set(plan.sources ?? [plan.source]);
  const give = (samples: readonly Sample[]) => {
    if (stopped) return;
    if (samples.length > 0) watchMute();
    if (samples.length > 0 && !plan.sources) states.live(plan.source, plan.staleAfterMs, parser.rejected);
    for (const sample of samples) {
      if (plan.sources) takeState(sample);
      if (!plan.sources || sample.kind !== 'source') onSample(sample);
    }
    const question = parser.ask?.();
    if (question !== undefined) stream?.send(question);
  };

  /** Of a parser that reads for several: each of them is as its own Samples say. */
  const takeState = (sample: Sample) => {
    const { source } = sample;
    sources.add(source);
    if (sample.kind === 'source' && sample.status === 'failed') states.failed(source, sample.reason ?? '');
    else states.live(source, plan.staleAfterMs, parser.rejected);
  };

  /** The link may never be back: what has come must not wait for it. It says nothing of how the source is now. */
  const giveLast = () => {
    for (const sample of parser.ended?.(clock.now()) ?? []) onSample(sample);
  };

  /** Nothing is left to read when a whole turn of the event loop has brought nothing. */
  function lookForEnd() {
    isLooking = true;
    const before = heard;
    const look = () => {
      isLooking = false;
      if (heard !== before) lookForEnd();
      else parser.caughtUp?.();
    };
    setImmediate(() => setImmediate(look));
  }

  function startTicks() {
    cancelTick();
    const { tick } = plan;
    if (!tick) return;
    const send = () => {
      const now = context();
      if (parser.silence) give(parser.silence(clock.now()));
      const line = now && tick.line(now, parser);
      if (line === undefined) return;
      if (!tick.unanswered) tickedAt = clock.now();
      stream?.send(line);
    };
    send();
    cancelTick = clock.every(tick.everyMs, send);
  }

  /** Only what answers our lines: a tool that hangs by itself would be started once more beside itself. */
  function watchMute() {
    const { tick, staleAfterMs } = plan;
    if (!tick || staleAfterMs === undefined) return;
    cancelMute();
    cancelMute = clock.after(Math.max(muteMs, 3 * staleAfterMs), () => {
      isMute = true;
      stream?.stop();
    });
  }

  async function start(body: string) {
    try {
      stream = await startStream({
        transport: sessions ? { open: () => sessions.openSource(() => transport.open(), isWanted) } : transport,
        clock,
        name: plan.source,
        body,
        talks: plan.tick !== undefined,
        splitCarriageReturns: plan.splitCarriageReturns ?? false,
        onReady(pid) {
          shellPid = pid;
          backoff.succeeded();
          startTicks();
          watchMute();
        },
        onLine(text, bytes) {
          // What comes late is read again by whoever goes on with this parser.
          if (stopped) return;
          if (tickedAt !== undefined) onRoundTrip?.(clock.now() - tickedAt);
          tickedAt = undefined;
          heard++;
          if (parser.caughtUp && !isLooking) lookForEnd();
          give(parser.push(text, clock.now(), bytes));
        },
        onQuiet: () => stopped || give(parser.quiet?.(clock.now()) ?? []),
        onEnd: ended,
      });
      if (stopped) stream.stop();
    } catch (error) {
      const final = error instanceof TransportFault && error.final;
      const told = { reason: error instanceof Error ? error.message : String(error), final };
      // Most of these are the link's end, which the transport says in a moment.
      cancelRestart = clock.after(final ? 0 : cutMs, () => failed(told));
    }
  }

  function ended(end: StreamEnd): void {
    const wasMute = isMute;
    isMute = false;
    cancelTick();
    cancelMute();
    stream = undefined;
    shellPid = undefined;
    tickedAt = undefined;
    backoff.failed();
    if (stopped) return;
    giveLast();
    if (wasMute) return failed({ reason: 'its command answered no more; trying again', final: false });
    // Whoever says that the link is lost stops us: unless it lives, and a server or proxy closed this channel without a code.
    if (end.lost)
      return void (cancelRestart = clock.after(lostMs, () =>
        failed({ reason: 'the command went without a word; trying again', final: false }),
      ));
    const told = plan.explain?.(end, end.errorText) ?? { reason: describeEnd(end), final: false };
    if (end.bodyCode !== undefined || told.final) return failed(told);
    cancelRestart = clock.after(cutMs, () => failed(told));
    onCut?.(end);
  }

  function failed({ reason, final }: Explanation) {
    if (stopped) return;
    for (const source of sources) states.failed(source, reason);
    if (final) {
      hasGivenUp = true;
      return void onGivenUp?.();
    }
    cancelRestart = clock.after(backoff.next(), () => {
      const body = plan.resume?.(parser) ?? plan.body;
      if (!plan.resume) parser = plan.parser();
      void start(body);
    });
  }

  // Once: what is tried again stays failed, with its reason, until a Sample comes.
  for (const source of sources) states.waiting(source);
  void start(goesOn && plan.resume ? plan.resume(parser) : plan.body);
  return {
    sources: () => [...sources],
    update(next) {
      const paceChanged = next.tick?.everyMs !== plan.tick?.everyMs || next.tick?.hurry !== plan.tick?.hurry;
      plan = next;
      if (paceChanged && shellPid !== undefined) startTicks();
    },
    stop() {
      if (!stopped) giveLast();
      stopped = true;
      backoff.failed();
      cancelTick();
      cancelMute();
      cancelRestart();
      stream?.stop();
      for (const source of sources) states.rest(source);
    },
    shellPid: () => shellPid,
    hasGivenUp: () => hasGivenUp,
    progress: () => (plan.resume ? parser : undefined),
  };
}

/** The end of a command nobody explained, as a sentence. */
function describeEnd(end: StreamEnd): string {
  const said = lastWords(end.errorText);
  const how =
    end.bodyCode === undefined
      ? `the command was cut off (${end.signal ?? `code ${end.code ?? 'unknown'}`})`
      : `the command ended with code ${end.bodyCode}`;
  return `${how}${said ? `, saying: ${said}` : ''}; trying again`;
}
