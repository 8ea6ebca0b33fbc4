import { writeFileSync } from 'node:fs';
import type { TestSshd } from '../support/sshd.ts';
import { startSshd } from '../support/sshd.ts';
import { makeHome, type Home } from './program.ts';

/** A host reached over SSH by an alias of ~/.ssh/config, with a key and a known host key. */
export interface Host {
  readonly sshd: TestSshd;
  /** The alias. */
  readonly name: string;
  /** Marks every process of its sessions, wherever they end up (markedProcesses). */
  readonly marker: string;
  /** A new home, whose ~/.ssh knows the alias; `known` is what stands in known_hosts. */
  home(options?: { readonly port?: number; readonly known?: string; readonly keyFile?: string }): Home;
  stop(): Promise<void>;
}

/** Starts the host: a real sshd on loopback. `config`: lines of its sshd_config. */
export async function startHost(config: readonly string[] = []): Promise<Host> {
  const marker = `host${process.pid}x${Math.random().toString(36).slice(2, 8)}`;
  const sshd = await startSshd({ config: [...config, `SetEnv TRAINTOP_E2E=${marker}`] });
  return {
    sshd,
    name: 'trainer',
    marker,
    home({ port = sshd.port, known = `trainer ${keyOf(sshd.hostKeyLine)}\n`, keyFile = sshd.keyFile } = {}) {
      const home = makeHome();
      const config = [
        'Host trainer',
        '  HostName 127.0.0.1',
        `  Port ${port}`,
        `  User ${sshd.user}`,
        `  IdentityFile ${keyFile}`,
        '  HostKeyAlias trainer',
        '',
      ];
      writeFileSync(home.file('.ssh/config'), config.join('\n'), { mode: 0o600 });
      writeFileSync(home.file('.ssh/known_hosts'), known, { mode: 0o600 });
      return home;
    },
    stop: () => sshd.stop(),
  };
}

/** Type and base64 of a known_hosts line. */
export function keyOf(line: string): string {
  return line.split(' ').slice(1).join(' ');
}
