import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { requiredTool } from './requires.ts';
import { removeFolder } from './remove-folder.ts';

/** What Debian calls the browser without a window. */
export const chromiumTool = 'chromium-headless-shell';

/** A page in a browser of its own, driven by the DevTools protocol over a pipe: no port is opened. */
export interface Page {
  /** Opens it, and resolves when it is loaded. */
  open(url: string): Promise<void>;
  /** The value of an expression there. */
  ask<T>(expression: string): Promise<T>;
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** What the console said and what was thrown, since it was opened. */
  readonly complaints: readonly string[];
  /** URLs that were asked for. */
  readonly requests: readonly string[];
  /** A PNG of what is seen, in base64. */
  picture(): Promise<string>;
  close(): Promise<void>;
}

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** Starts the browser with one empty page. */
export async function openChromium(): Promise<Page> {
  const profile = mkdtempSync(join(tmpdir(), 'traintop-chromium-'));
  const browser = spawn(
    requiredTool(chromiumTool),
    [
      ...['--remote-debugging-pipe', '--no-sandbox', '--disable-gpu', '--no-first-run', '--hide-scrollbars'],
      ...['--disable-dev-shm-usage', '--disable-background-networking', `--user-data-dir=${profile}`, 'about:blank'],
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const [input, output] = [browser.stdio[3] as Writable, browser.stdio[4] as Readable];
  const waiting = new Map<number, { resolve(value: Record<string, unknown>): void; reject(error: Error): void }>();
  const complaints: string[] = [];
  const requests: string[] = [];
  let loaded = () => {};
  let sent = 0;
  let session: string | undefined;

  function take({ id, method, params = {}, result = {}, error }: Answer) {
    if (id !== undefined) {
      const who = waiting.get(id);
      waiting.delete(id);
      if (error) who?.reject(new Error(error.message));
      else who?.resolve(result);
    } else if (method === 'Page.loadEventFired') loaded();
    else if (
      method === 'Runtime.exceptionThrown' ||
      method === 'Runtime.consoleAPICalled' ||
      method === 'Log.entryAdded'
    )
      complaints.push(JSON.stringify(params).slice(0, 2000));
    else if (method === 'Network.requestWillBeSent')
      requests.push(String((params['request'] as { readonly url?: string } | undefined)?.url));
  }

  let rest = '';
  output.setEncoding('utf8');
  output.on('data', (text: string) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) take(JSON.parse(message) as Answer);
  });
  input.on('error', () => {});
  const gone = new Promise<void>((resolve) => browser.once('close', () => resolve()));
  void gone.then(() => waiting.forEach(({ reject }) => reject(new Error('the browser is gone'))));

  function send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++sent;
    const message = { id, method, params, ...(session !== undefined && { sessionId: session }) };
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      input.write(`${JSON.stringify(message)}\0`);
    });
  }

  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  session = String((await send('Target.attachToTarget', { targetId, flatten: true }))['sessionId']);
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(`${domain}.enable`);

  return {
    send,
    complaints,
    requests,
    async open(url) {
      const isLoaded = new Promise<void>((resolve) => (loaded = resolve));
      await send('Page.navigate', { url });
      await isLoaded;
    },
    async ask<T>(expression: string) {
      const answer = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      if (answer['exceptionDetails']) throw new Error(JSON.stringify(answer['exceptionDetails']));
      return (answer['result'] as { readonly value: T }).value;
    },
    picture: async () =>
      String((await send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true }))['data']),
    async close() {
      session = undefined;
      await send('Browser.close').catch(() => {});
      await gone;
      removeFolder(profile);
    },
  };
}
