import type { ConfirmHostKey } from '../collectors/transport/ssh.ts';
import type { Questions } from '../ui/overlays/questions.ts';

/** Shows an unknown host key on the screen and asks once, as ssh does. */
export function askOn(questions: Questions): ConfirmHostKey {
  return ({ host, keyType, fingerprint, keptIn }) =>
    questions.ask({
      title: `The host ${host} is not known yet`,
      lines: [`Its ${keyType} key is ${fingerprint}.`],
      yes: `Connect, and remember the key ${keptIn === undefined ? 'until traintop ends' : `in ${keptIn}`}.`,
    });
}
