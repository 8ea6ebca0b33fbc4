import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSshd, type TestSshd } from '../../support/sshd.ts';

/** An sshd whose root has this log-in shell, with files at home that print text where they are read. */
export async function startServerWith(
  shell: string,
  { folder, path }: { folder: string; path: string },
): Promise<TestSshd> {
  const home = join(folder, shell);
  mkdirSync(join(home, '.config/fish'), { recursive: true });
  for (const file of ['.config/fish/config.fish', '.tcshrc', '.profile'])
    writeFileSync(join(home, file), 'echo Welcome to the node\n');
  const passwd = join(home, 'passwd');
  const others = readFileSync('/etc/passwd', 'utf8').replace(/^root:.*\n/m, '');
  writeFileSync(passwd, `root:x:0:0::${home}:${shell === 'bash' ? '/bin/bash' : `/usr/bin/${shell}`}\n${others}`);
  return startSshd({
    config: [`SetEnv PATH=${path}`],
    around: () => ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/passwd && exec "$@"', passwd],
  });
}

/** The same server for an OpenSSH client, as a command line. */
export function sshTo(server: TestSshd): string {
  const { knownHostsFile, keyFile, port } = server;
  return `ssh -F none -o BatchMode=yes -o UserKnownHostsFile=${knownHostsFile} -i ${keyFile} -p ${port} root@127.0.0.1`;
}
