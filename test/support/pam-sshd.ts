import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSshd, type TestSshd } from './sshd.ts';

/** The one who may log in there: root by another name, with a password of its own. */
export const pamUser = { name: 'traintop-pam', password: 'pa55 wörd' } as const;

/** What `openssl passwd -6 -salt traintop` makes of that password. */
const shadowHash = '$6$traintop$.ZvC1RbtW6vX.7UNh9chAMgyGtDQMStlklfMzwTYmtj4fu1t.OXEt3e0Fgj/di3E9ASNfgU1YDpSFTgBRtJA71';
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** What a user needs to log in: PAM's modules, one a round. */
export interface PamOptions {
  readonly factors: readonly ('password' | 'code')[];
  /** Lines of sshd_config. */
  readonly config?: readonly string[];
}

/**
 * An sshd that logs in through PAM, for root only. Accounts and PAM's stack are those of its own mount namespace: nothing of this
 * machine is changed, and nothing remains.
 */
export async function startPamSshd({ factors, config = [] }: PamOptions): Promise<TestSshd> {
  return startSshd({
    config: ['UsePAM yes', ...config],
    user: pamUser.name,
    around(folder) {
      const file = (name: string) => join(folder, name);
      const stack = {
        password: 'auth required pam_unix.so nodelay',
        code: `auth required pam_google_authenticator.so nullok secret=${file('totp')} user=root no_strict_owner`,
      };
      const rest = ['account required pam_permit.so', 'session required pam_permit.so'];
      writeFileSync(file('pam'), [...factors.map((factor) => stack[factor]), ...rest, ''].join('\n'));
      writeFileSync(file('totp'), [secret, '" TOTP_AUTH', ''].join('\n'), { mode: 0o400 });
      mkdirSync(file('home'));
      const user = `${pamUser.name}:x:0:0::${file('home')}:/bin/sh\n`;
      writeFileSync(file('passwd'), readFileSync('/etc/passwd', 'utf8') + user);
      const shadow = `${pamUser.name}:${shadowHash}:19000:0:99999:7:::\n`;
      writeFileSync(file('shadow'), readFileSync('/etc/shadow', 'utf8') + shadow, { mode: 0o600 });
      const binds = ['passwd:/etc/passwd', 'shadow:/etc/shadow', 'pam:/etc/pam.d/sshd'].map((pair) => pair.split(':'));
      const mounts = binds.map(([from = '', to = '']) => `mount --bind ${file(from)} ${to}`).join(' && ');
      return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', `${mounts} && exec "$@"`, 'sh'];
    },
  });
}

/** The code that the user's telephone shows now (RFC 6238). */
export function codeNow(): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const key = Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)
      ?.map((byte) => parseInt(byte, 2)) ?? [],
  );
  const hash = createHmac('sha1', key).update(counter).digest();
  const at = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
