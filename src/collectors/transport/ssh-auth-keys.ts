import ssh2, { type AnyAuthMethod, type ParsedKey } from 'ssh2';
import { safeText } from '../../model/text.ts';
import { homePath } from './home-path.ts';
import { defaultKeyFiles, openKeyFile, readKeyFile, type KeyFile } from './key-files.ts';
import { parseHostKey } from './known-hosts.ts';
import { listAgentKeys, signerOfAgent, SingleKeyAgent } from './ssh-agent.ts';
import { whyNoAsking, type Attempt, type Trying } from './ssh-attempt.ts';

/** Keys in OpenSSH's order: those of the agent (configured ones first), then key files, with a question for encrypted ones. */
export async function* keyAttempts(trying: Trying): AsyncGenerator<Attempt> {
  const { target, identityFiles, privateKey } = trying;
  if (privateKey !== undefined) {
    yield { label: 'the given key', method: { type: 'publickey', username: target.user, key: privateKey } };
  }
  const paths = identityFiles ?? target.identityFiles;
  const files = (paths ?? defaultKeyFiles()).map(readKeyFile);
  const configured = paths !== undefined;
  const agentKeys = orderAgentKeys({ keys: await askAgent(trying), files, only: target.identitiesOnly && configured });
  for (const key of agentKeys) {
    const label = `the agent's key ${safeText(key.comment || key.type)}`;
    const agentSocket = target.agentSocket ?? '';
    const one = new SingleKeyAgent(key, (data, hash) =>
      trying.line.hold(signMs, (over) => signerOfAgent(agentSocket, key, over)(data, hash)),
    );
    for await (const attempt of signedAttempts(trying, label, one)) yield { ...attempt, agentSocket };
  }
  const held = (file: KeyFile) => agentKeys.some((key) => file.publicKey?.equals(key.getPublicSSH()));
  for (const file of files.filter((one) => !held(one))) {
    if (file.state === 'usable') yield fileAttempt(trying, file.path, file.key);
    else if (file.state === 'encrypted') yield* encryptedAttempts(trying, file);
    else noteUnusable(trying, file, configured);
  }
}

/** It may have to wake a token, or ask the user to unlock it. */
const listMs = 20_000;
/** The user may have to be found; sshd itself gives 120 s for all of the log-in. */
const signMs = 120_000;

async function askAgent({ target, record, line }: Trying): Promise<readonly ParsedKey[]> {
  const { agentSocket: socket } = target;
  if (socket === undefined) return [];
  try {
    return await line.hold(listMs, (over) => listAgentKeys(socket, over));
  } catch {
    record.agentIsGone = true;
    record.notes.add(`no agent answers on ${socket}`);
    return [];
  }
}

interface AgentKeys {
  readonly keys: readonly ParsedKey[];
  readonly files: readonly KeyFile[];
  /** IdentitiesOnly: leave out keys that no file names. */
  readonly only: boolean;
}

/** sshd gives up after six keys (MaxAuthTries), so those that the user named come first. */
function orderAgentKeys({ keys, files, only }: AgentKeys): readonly ParsedKey[] {
  const named = files.flatMap((file) => keys.filter((key) => file.publicKey?.equals(key.getPublicSSH())));
  return only ? named : [...named, ...keys.filter((key) => !named.includes(key))];
}

/** A key that signs only when the server takes it. */
async function* signedAttempts({ target }: Trying, label: string, agent: SingleKeyAgent): AsyncGenerator<Attempt> {
  yield { label, method: { type: 'agent', username: target.user, agent } };
  // ssh2 1.17 does not hand on what a server says to an agent's key: it may be right, and one of two factors.
  if (agent.hasSigned) yield { method: { type: 'none', username: target.user }, isLook: true };
}

function fileAttempt({ target }: Trying, path: string, key: ParsedKey): Attempt {
  const method: AnyAuthMethod = { type: 'publickey', username: target.user, key };
  return { label: homePath(path), method };
}

/** The passphrase is asked for when the server takes the key, or, where the file does not say which key it is, before. */
async function* encryptedAttempts(trying: Trying, file: KeyFile): AsyncGenerator<Attempt> {
  const { path, publicKey } = file;
  const { memory, line, record } = trying;
  const kept = memory.keys.get(path);
  if (kept && (!publicKey || kept.getPublicSSH().equals(publicKey))) {
    yield fileAttempt(trying, path, kept);
    return;
  }
  const shown = homePath(path);
  if (!line.ask) {
    record.shut.set(path, { why: whyNoAsking(trying) });
    return;
  }
  if (memory.skipped.has(path)) {
    record.shut.set(path, 'not given');
    return;
  }
  const known = publicKey && publicKeyOf(publicKey);
  if (known) {
    const sign = async (data: Buffer, hash: string | undefined) => {
      const key = await askPassphrase(trying, path);
      if (!key) throw new Error('no passphrase');
      return key.sign(data, hash);
    };
    yield* signedAttempts(trying, shown, new SingleKeyAgent(known, sign));
    return;
  }
  const key = await askPassphrase(trying, path);
  if (key) yield fileAttempt(trying, path, key);
}

function publicKeyOf(blob: Buffer): ParsedKey | undefined {
  const type = parseHostKey(blob)?.type;
  const key = type === undefined ? undefined : ssh2.utils.parseKey(`${type} ${blob.toString('base64')}`);
  return key instanceof Error ? undefined : key;
}

async function askPassphrase(
  { memory, line, record, target, ...init }: Trying,
  path: string,
): Promise<ParsedKey | undefined> {
  const shown = homePath(path);
  memory.needs.add(path);
  for (let attempt = 1; attempt <= target.passwordPrompts; attempt++) {
    const answers = await line.ask?.({
      title: `Passphrase of ${shown}`,
      lines: [
        ...(attempt === 1 ? [] : [`That did not open it: try ${attempt} of ${target.passwordPrompts}.`]),
        ...(init.wayTo === undefined ? [] : [`It is for the log-in to ${init.peer}.`]),
        'The key is encrypted. Opened, it stays in the memory of traintop until it ends, and nowhere else.',
      ],
      fields: [{ label: 'Passphrase', hidden: true }],
    });
    const [passphrase] = answers ?? [];
    if (passphrase === undefined || passphrase === '') {
      memory.skipped.add(path);
      memory.needs.delete(path);
      record.shut.set(path, 'not given');
      return undefined;
    }
    const key = openKeyFile(path, passphrase);
    if (key) {
      memory.keys.set(path, key);
      memory.needs.delete(path);
      return key;
    }
  }
  record.shut.set(path, 'not opened');
  return undefined;
}

function noteUnusable({ record: { notes } }: Trying, file: KeyFile, configured: boolean) {
  const path = homePath(file.path);
  if (file.state === 'unreadable') notes.add(`${path} cannot be read (${safeText(file.reason)})`);
  if (file.state === 'missing' && configured) notes.add(`${path} is not there`);
}
