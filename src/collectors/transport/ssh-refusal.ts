import type { ResolvedTarget } from '../../config/ssh-config.ts';
import { safeText } from '../../model/text.ts';
import { homePath } from './home-path.ts';

/** What a log-in did and could not do, gathered for the sentence of its end. */
export interface LoginRecord {
  /** Encrypted key files that stayed shut: the host was not shown that we have them. */
  readonly shut: Map<string, WhyShut>;
  /** Why passwords or answers were wanted and not asked for. */
  readonly unasked: Set<string>;
  /** What else was not tried, and why. */
  readonly notes: Set<string>;
  /** No agent answers where one should. */
  agentIsGone: boolean;
}

/** Nobody gave the passphrase, what was typed was wrong, or it could not be asked for (`why`). */
type WhyShut = 'not given' | 'not opened' | { readonly why: string };

/** Nothing was done yet. */
export function emptyRecord(): LoginRecord {
  return { shut: new Map(), unasked: new Set(), notes: new Set(), agentIsGone: false };
}

interface Refusal {
  readonly target: ResolvedTarget;
  /** As sentences call the host. */
  readonly peer: string;
  readonly isHop: boolean;
  readonly record: LoginRecord;
  /** What the host was shown, by name. */
  readonly tried: readonly string[];
  /** Something typed is among it. */
  readonly typed: boolean;
  /** What the server takes. */
  readonly offered: readonly string[];
}

/** Why nobody was let in: what was really tried, what was not, and what helps then. */
export function refusalSentence(refusal: Refusal): string {
  const { peer, record, tried, target } = refusal;
  const advice = adviceOn(refusal);
  // A jump host goes by a name that need not tell the user.
  const who = refusal.isHop ? ` of ${target.user}` : '';
  if (record.shut.size === 0) return `${peer} refused the log-in${who}: ${triedText(refusal)}; ${advice}.`;
  const shut = [...record.shut].map(([path, why]) => shutText(homePath(path), why)).join(', ');
  const rest = tried.length > 0 ? `${peer} takes nothing else of yours` : `there is nothing else to try at ${peer}`;
  const more = detailsOf(refusal).join('; ');
  return `${shut.replace(/^[a-z]/, (letter) => letter.toUpperCase())}, and ${rest}${more && ` (${more})`}: ${advice}.`;
}

/** What was tried, what could not be, what the server takes. */
export function triedText(refusal: Refusal): string {
  const none = refusal.tried.length > 0 ? [] : ['there was no key to try'];
  return [...none, ...detailsOf(refusal)].join('; ');
}

function detailsOf({ tried, record, offered }: Refusal): readonly string[] {
  return [
    ...(tried.length > 0 ? [`tried ${tried.join(', ')}`] : []),
    ...record.notes,
    ...record.unasked,
    ...(offered.length > 0 ? [`the server takes ${safeText(offered.join(', ').slice(0, 200))}`] : []),
  ];
}

function shutText(path: string, why: WhyShut): string {
  if (why === 'not given') return `no passphrase was given for ${path}`;
  if (why === 'not opened') return `what was typed does not open ${path}`;
  return `${path} is encrypted, no agent holds it, and ${why.why} for its passphrase`;
}

function adviceOn({ target, record, tried, typed }: Refusal): string {
  const { shut, unasked } = record;
  const isForbidden = target.passwordPrompts === 0;
  const isMute = unasked.size > 0 || [...shut.values()].some((why) => typeof why === 'object');
  const speak = isForbidden ? 'take BatchMode out of the SSH configuration' : 'start it on a terminal';
  if (shut.size > 0) {
    const again = isMute ? speak : typed ? 'try again, and check the user name and what was typed' : 'try again';
    return [...agentAdvice([...shut.keys()], target, record), again].join(', or ');
  }
  if (typed) return 'check the user name and what was typed';
  const authorized = 'check the user name, and that the key is in authorized_keys there';
  if (tried.length > 0) return isMute ? `${authorized}, or ${speak}` : authorized;
  if (isMute) return `${speak}, or log in with a key`;
  return 'name a key by --identity or IdentityFile, or load one into an agent';
}

/** How to have an agent open them; nothing where none may be used. */
function agentAdvice(paths: readonly string[], target: ResolvedTarget, { agentIsGone }: LoginRecord) {
  const { agentSocket, agentIsOff } = target;
  if (agentIsOff) return [];
  const add = `ssh-add ${paths.map(homePath).join(' ')}`;
  if (agentSocket === undefined || agentIsGone) return [`start ssh-agent and run ${add}`];
  // ssh-add asks the environment, not the configuration.
  return [`run ${agentSocket === process.env.SSH_AUTH_SOCK ? '' : `SSH_AUTH_SOCK=${agentSocket} `}${add}`];
}
