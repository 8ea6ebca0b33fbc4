import type { Clock } from '../../clock.ts';
import type { AuditLog } from './audit-log.ts';
import type { Transport } from './transport.ts';
import { watchChannels, type OpenedChannel } from './watched.ts';

/**
 * The same transport, that keeps a record of what it runs. The lines:
 *
 *     {"event":"text","hash":H,"text":SCRIPT}                                      once a file, before it is first named
 *     {"event":"open","time":T,"channel":"PID.N","target":"root@gpu7","wrap":W,"script":NAME,"hash":H}
 *     {"event":"again",...,"hash":H2}                                              the shell began anew by setsid
 *     {"event":"end","time":T,"channel":"PID.N","script":NAME,"code":0,"seconds":12.5}   or "signal", or "lost": the link went
 *     {"event":"refused","time":T,"target":...,"reason":SENTENCE}                  the host opened no channel
 */
export function audited(transport: Transport, clock: Clock, log: AuditLog): Transport {
  let count = 0;
  const names = new Map<OpenedChannel, string>();
  // The target has its full name only when its configuration was read.
  const where = () => ({
    target: transport.target,
    ...(transport.wrap !== undefined && { wrap: withoutSecrets(transport.wrap) }),
  });
  const now = () => new Date(clock.now()).toISOString();
  return watchChannels(transport, clock, {
    opened(channel) {
      const name = `${process.pid}.${++count}`;
      names.set(channel, name);
      const { path, script } = channel;
      const what = { script: channel.name, ...(path !== undefined && { path }) };
      log.record({ event: 'open', time: now(), channel: name, ...where(), ...what }, script);
    },
    again: (channel, script) =>
      log.record({ event: 'again', time: now(), channel: names.get(channel), script: channel.name }, script),
    ended(channel, { code, signal, lost }, seconds) {
      const name = names.get(channel);
      names.delete(channel);
      log.record({
        event: 'end',
        time: now(),
        channel: name,
        script: channel.name,
        ...(code !== null && { code }),
        ...(signal !== undefined && { signal }),
        ...(lost && { lost }),
        seconds: Math.round(seconds * 10) / 10,
      });
    },
    refused: (reason) => log.record({ event: 'refused', time: now(), ...where(), reason }),
  });
}

/** A wrapper is the user's command line, and may hold what no file should: `docker exec -e TOKEN=abc`, `sshpass -p abc`. */
export function withoutSecrets(wrap: string): string {
  let before = ['', ''];
  return wrap.replace(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g, (word) => {
    const plain = word.replace(/['"\\]/g, '');
    const [first = '', second = ''] = before;
    before = [second, plain];
    if (isSecret.test(second) && second.startsWith('-') && !second.includes('=')) return '***';
    if (first.endsWith('sshpass') && second === '-p') return '***';
    if (second.endsWith('sshpass') && plain.startsWith('-p') && plain !== '-p') return '-p***';
    // TOKEN=abc, --token=abc, --env=TOKEN=abc
    const [, name = '', inner = ''] = /^([\w-]+)=(?:([\w-]+)=)?/.exec(plain) ?? [];
    if (isSecret.test(name)) return `${name}=***`;
    if (isSecret.test(inner)) return `${name}=${inner}=***`;
    const quoted = /^(['"])(.*\s.*)\1$/s.exec(word);
    if (quoted) return `${quoted[1]}${withoutSecrets(quoted[2] ?? '')}${quoted[1]}`;
    return word.replace(/(:\/\/[^/@:]*:)[^/@]*@/, '$1***@');
  });
}

const isSecret = /token|secret|pass(?!h)|pwd|credential|key|auth/i;
