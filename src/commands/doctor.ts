import { systemClock } from '../clock.ts';
import { withoutSecrets } from '../collectors/transport/audit.ts';
import { TransportFault, type Transport } from '../collectors/transport/transport.ts';
import { watchChannels } from '../collectors/transport/watched.ts';
import type { Options } from '../config/options.ts';
import { parseTarget, TargetError } from '../config/target.ts';
import { catalogue, typicalContext, type Command } from '../doctor/catalogue.ts';
import { isBroken } from '../doctor/check.ts';
import { examine } from '../doctor/examine.ts';
import type { Connection, Findings } from '../doctor/findings.ts';
import { judge } from '../doctor/judge.ts';
import { settled } from '../model/settled.ts';
import { commandsObject, reportObject, type Report } from './doctor-json.ts';
import { commandsText, reportText } from './doctor-text.ts';
import { asksOnTerminal } from './ask-on-terminal.ts';
import { openTarget, type OpenTarget } from './open-target.ts';
import { collectorOptions, createSession } from './session.ts';
import { exitCodeOf, onEndSignal } from './signals.ts';
import { version } from './version.ts';

/** What doctor is asked beside the options of every command. */
export interface Wish {
  readonly json: boolean;
  /** The scripts themselves. */
  readonly commands: boolean;
  /** No target was named: then --commands shows the scripts of a typical host, and connects to none. */
  readonly anywhere: boolean;
}

/** What is to be ended at the end, the last first. */
type Ends = (() => Promise<void>)[];

/** How long --commands waits for the run. */
const patienceMs = 15_000;

/**
 * Prints what works on a host, what does not, why, and how to mend it. Resolves with the exit code: 1 when a needed part is missing, a
 * host that cannot be reached included. Rejects with a TargetError for what is no target, and for --commands with a TransportFault.
 */
export async function doctor(options: Options, wish: Wish): Promise<number> {
  const { kind } = parseTarget(options.target);
  if (kind === 'recording') return (await import('./doctor-recording.ts')).doctorRecording(options.target, wish);
  if (wish.commands && wish.anywhere)
    return printCommands(catalogue(typicalContext(collectorOptions(options))), options, wish);
  const ends: Ends = [];
  const over = new AbortController();
  const { signal } = over;
  const signalled = new Promise<number>((resolve) => {
    const off = onEndSignal((signal) => {
      over.abort();
      resolve(exitCodeOf(signal));
    });
    ends.push(async () => off());
  });
  const progress = createProgress(options.target);
  const work = async () => {
    if (wish.commands) {
      const commands = await listCommands({ options, ends, progress, signal });
      progress.end();
      return printCommands(commands, options, wish);
    }
    const report = await diagnose({ options, kind, ends, progress, signal });
    // What failed because it was ended is nobody's fault.
    signal.throwIfAborted();
    progress.end();
    await print(wish.json ? reportObject(report) : reportText(report, process.stdout, process.env));
    return report.checks.some(isBroken) ? 1 : 0;
  };
  try {
    return await Promise.race([work(), signalled]);
  } finally {
    progress.end();
    for (const end of ends.reverse()) await end();
  }
}

interface Work {
  readonly options: Options;
  readonly ends: Ends;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

async function diagnose({ options, kind, ends, progress, signal }: Work & Pick<Findings, 'kind'>): Promise<Report> {
  const channels = { open: 0, most: 0, refused: [] as string[], names: new Set<string>() };
  // What doctor prints is shown to others.
  const shownWrap = options.wrap === undefined ? {} : { wrap: withoutSecrets(options.wrap) };
  const base = {
    kind,
    target: options.target,
    options: collectorOptions(options),
    missingGpuFields: [],
    channels,
    ...shownWrap,
  };
  const hide = (text: string) => text.replaceAll(options.wrap ?? '\0', shownWrap.wrap ?? '');
  const report = (findings: Findings): Report => ({
    checks: judge(findings).map((check) => (check.why === undefined ? check : { ...check, why: hide(check.why) })),
    version,
    time: systemClock.now(),
    target: options.target,
    ran: [...channels.names],
    ...shownWrap,
    ...(kind === 'demo' && { demo: true }),
  });
  let target: OpenTarget;
  try {
    target = await open({ options, ends, signal });
  } catch (error) {
    // Its configuration cannot be followed (ssh_config): found out here, as a refused log-in is.
    if (!(error instanceof TargetError)) throw error;
    return report({ ...base, connection: { fault: error.message } });
  }
  const transport = watchChannels(target.transport, systemClock, {
    opened({ name }) {
      channels.most = Math.max(channels.most, ++channels.open);
      channels.names.add(name);
    },
    ended: () => void channels.open--,
    refused: (reason) => void channels.refused.push(reason),
  });
  const session = createSession(options, transport);
  ends.push(session.stop);
  const connection = await connect(transport);
  if (connection.fault === undefined) progress.begin();
  const examined = connection.fault === undefined ? await examine({ ...session, options: base.options, signal }) : {};
  await target.audit?.flush();
  return report({
    ...base,
    ...examined,
    target: transport.target,
    connection,
    ...(target.audit && { audit: { ...target.audit.state(), path: target.audit.path } }),
  });
}

async function open({ options, ends, signal }: Pick<Work, 'options' | 'ends' | 'signal'>): Promise<OpenTarget> {
  const target = await openTarget(options, asksOnTerminal());
  // What is opened after the end nobody would close.
  if (signal.aborted) await target.close();
  signal.throwIfAborted();
  ends.push(target.close);
  return target;
}

async function connect(transport: Transport): Promise<Connection> {
  const begun = systemClock.now();
  try {
    await transport.connect();
    const login = transport.login?.();
    return { seconds: (systemClock.now() - begun) / 1000, ...(login && { login }) };
  } catch (error) {
    if (!(error instanceof TransportFault || error instanceof TargetError)) throw error;
    return { fault: error.message };
  }
}

async function listCommands({ options, ends, progress, signal }: Work): Promise<readonly Command[]> {
  const target = await open({ options, ends, signal });
  const { runner, store, clock, ...session } = createSession(options, target.transport);
  ends.push(session.stop);
  await target.transport.connect();
  progress.begin();
  await runner.start();
  await settled({ store, clock, asked: options.pid !== undefined || options.match !== undefined, patienceMs, signal });
  signal.throwIfAborted();
  const context = runner.context();
  if (!context) throw new TransportFault(`The connection to ${options.target} went while it was looked at.`, false);
  return catalogue(context);
}

async function printCommands(
  commands: readonly Command[],
  options: Options,
  { json, anywhere }: Wish,
): Promise<number> {
  const about = {
    target: anywhere ? undefined : options.target,
    wrap: options.wrap === undefined ? undefined : withoutSecrets(options.wrap),
  };
  await print(json ? commandsObject(commands, { ...about, version }) : commandsText(commands, about, process.env));
  return 0;
}

async function print(text: string): Promise<void> {
  await new Promise((resolve) => process.stdout.write(text, resolve));
}

/** Says on a terminal that it is at work, from when nothing more is asked until there is something to print. */
interface Progress {
  begin(): void;
  end(): void;
}

function createProgress(target: string): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return { begin: () => {}, end: () => {} };
  let cancel = () => {};
  let begun = 0;
  let shown = 0;
  const show = () => {
    const seconds = Math.round((systemClock.now() - begun) / 1000);
    const text = `Looking at ${target} for about ten seconds: ${seconds}`;
    shown = text.length;
    stderr.write(`\r${text}`);
  };
  return {
    begin() {
      begun = systemClock.now();
      show();
      cancel = systemClock.every(1000, show);
    },
    end() {
      cancel();
      if (shown > 0) stderr.write(`\r${' '.repeat(shown)}\r`);
      shown = 0;
    },
  };
}
