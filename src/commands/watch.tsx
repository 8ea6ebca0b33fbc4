import { render } from 'ink';
import { createInterface } from 'node:readline/promises';
import type { ConfirmHostKey } from '../collectors/transport/ssh.ts';
import { intervalLimits, UsageFault, type Options } from '../config/options.ts';
import { App } from '../ui/App.tsx';
import type { Controls } from '../ui/controls.ts';
import { captureInto } from './captures.ts';
import { openTarget, type OpenTarget } from './open-target.ts';
import { createSession, type Session } from './session.ts';

/**
 * The live screen, until `q` or a signal. Resolves with the exit code. Rejects with a TransportFault when the host cannot be
 * reached at first; later losses are shown and healed.
 */
export async function watch(options: Options): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UsageFault('The screen needs a terminal; for scripts there is traintop once --json.');
  }
  const target = await openTarget(options, { confirmHostKey });
  const session = createSession(options, target.transport);
  let app: ReturnType<typeof render> | undefined;
  const show = () => {
    app ??= render(<App controls={controlsOf(session, target)} />, {
      alternateScreen: true,
      incrementalRendering: true,
      exitOnCtrlC: false,
      patchConsole: false,
    });
  };
  // Only a host that may ask something keeps the screen waiting: the question stands on the plain terminal.
  const asks = target.transport.target !== 'local' && !target.demo;
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
  const leave = () => app?.unmount();
  for (const signal of signals) process.on(signal, leave);
  try {
    if (!asks) show();
    await session.runner.start();
    show();
    await app?.waitUntilExit();
    return 0;
  } finally {
    app?.unmount();
    await session.stop();
    await target.close();
    for (const signal of signals) process.off(signal, leave);
  }
}

/** Shows an unknown host key and asks once, as ssh does. */
const confirmHostKey: ConfirmHostKey = async ({ host, keyType, fingerprint }) => {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(
      `The host ${host} is not known yet. Its ${keyType} key is ${fingerprint}.\nConnect and remember it (yes/no)? `,
    );
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
};

function controlsOf(session: Session, target: OpenTarget): Controls {
  const { store, clock, runner, options } = session;
  return {
    store,
    clock,
    target: target.name,
    demo: target.demo,
    ...(options.wrap !== undefined && { wrap: options.wrap }),
    intervalMs: options.intervalMs,
    setInterval(ms) {
      const intervalMs = Math.min(intervalLimits.slowest, Math.max(intervalLimits.fastest, ms));
      store.setInterval(intervalMs);
      runner.configure({ intervalMs });
      return intervalMs;
    },
    chooseRun: (pid) => runner.configure({ pid }),
    dumpStacks: (pid) => captureInto(session, pid),
  };
}
