import { systemClock } from '../../src/clock.ts';
import type { CollectorOptions } from '../../src/collectors/collector.ts';
import { collectors } from '../../src/collectors/registry.ts';
import { createRunner, type Runner } from '../../src/collectors/run.ts';
import { createSshTransport } from '../../src/collectors/transport/ssh.ts';
import type { LinkSample, LogSample, Sample, SourceSample } from '../../src/model/samples.ts';
import type { TestSshd } from './sshd.ts';

/** A runner with all collectors on a real sshd, and what it has said. */
export interface LiveRunner extends Runner {
  /** Newest last; the log's are only in `lines`. */
  readonly samples: readonly Sample[];
  /** The text of every line of the log. */
  readonly lines: readonly string[];
  /** Of a source, how it is. */
  source(name: string): Pick<SourceSample, 'status' | 'reason'> | undefined;
  links(): readonly LinkSample[];
  has(kind: Sample['kind'], since?: number): boolean;
}

interface Options extends Partial<CollectorOptions> {
  readonly sshd: TestSshd;
  /** Default 127.0.0.1 and the server's own. */
  readonly host?: string;
  readonly port?: number;
  readonly wrap?: string;
}

/** Nothing runs before its `start`. */
export function createLiveRunner({
  sshd,
  host = '127.0.0.1',
  port = sshd.port,
  wrap,
  ...options
}: Options): LiveRunner {
  const samples: Sample[] = [];
  const lines: string[] = [];
  const sources = new Map<string, SourceSample>();
  const runner = createRunner({
    transport: createSshTransport({
      target: { kind: 'ssh', host, port },
      wrap,
      clock: systemClock,
      configFile: 'none',
      knownHostsFiles: [sshd.knownHostsFile],
      identityFiles: [sshd.keyFile],
      // A relay's port has no line of its own there.
      confirmHostKey: async () => true,
    }),
    collectors,
    clock: systemClock,
    options: { intervalMs: 1000, threads: 'proc', logs: [], ...options },
    onSample(sample) {
      if (sample.kind === 'source') sources.set(sample.source, sample);
      if (sample.kind === 'log') lines.push(...(sample as LogSample).lines.map(({ text }) => text));
      else samples.push(sample);
    },
  });
  return {
    ...runner,
    samples,
    lines,
    source: (name) => sources.get(name),
    links: () => samples.filter((sample): sample is LinkSample => sample.kind === 'link'),
    has: (kind, since = 0) => samples.some((sample) => sample.kind === kind && sample.receivedAt >= since),
  };
}
