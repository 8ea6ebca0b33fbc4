import { render } from 'ink';
import { createLocalTransport } from '../collectors/transport/local.ts';
import { intervalLimits, type Options } from '../config/options.ts';
import { App } from '../ui/App.tsx';
import type { Controls } from '../ui/controls.ts';
import { createSession, type Session } from './session.ts';

/** The live screen, until `q`. Resolves with the exit code. Rejects with a TransportFault when the host cannot be reached. */
export async function watch(options: Options): Promise<number> {
  const session = createSession(options, createLocalTransport(options.wrap));
  const app = render(<App controls={controlsOf(session)} />, {
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  try {
    await session.runner.start();
    await app.waitUntilExit();
    return 0;
  } finally {
    app.unmount();
    await session.stop();
  }
}

function controlsOf({ store, clock, runner, options, transport }: Session): Controls {
  return {
    store,
    clock,
    target: transport.target,
    demo: options.target === 'demo',
    ...(options.wrap !== undefined && { wrap: options.wrap }),
    intervalMs: options.intervalMs,
    setInterval(ms) {
      const intervalMs = Math.min(intervalLimits.slowest, Math.max(intervalLimits.fastest, ms));
      store.setInterval(intervalMs);
      runner.configure({ intervalMs });
      return intervalMs;
    },
    chooseRun: (pid) => runner.configure({ pid }),
    dumpStacks: async () => {},
  };
}
