import type { Clock } from '../clock.ts';
import { runJob } from './stream.ts';
import type { Transport } from './transport/transport.ts';

/** POSIX sh: prints `shell PATH`, the log-in shell of whom the script runs as; bash where passwd names none that works. */
export const loginShellScript = `
uid=$(id -u); s=$(getent passwd "$uid" 2>/dev/null); s=\${s##*:}
[ -n "$s" ] || while IFS=: read -r _ _ i _ _ _ l; do [ "$i" = "$uid" ] && s=$l && break; done </etc/passwd
case $s in */nologin|*/false) s=;; esac
[ -n "$s" ] && [ -x "$s" ] || s=$(command -v bash); echo "shell $s"`;

/** What the script says; undefined = sh will do. */
export function readLoginShell(output: string): string | undefined {
  return /^shell (\/[\w./+-]+)$/m.exec(output)?.[1];
}

/** Asks a host that was not probed; undefined when it does not tell. */
export async function findLoginShell(transport: Transport, clock: Clock): Promise<string | undefined> {
  try {
    const { output } = await runJob({
      transport,
      clock,
      name: 'login-shell',
      body: loginShellScript,
      timeoutMs: 10_000,
    });
    return readLoginShell(output);
  } catch {
    return undefined; // the shell itself will say why
  }
}
