import { request as requestHttp, type ClientRequest } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from '../clock.ts';
import { safeText } from '../model/text.ts';

/** What came of a POST. */
export interface Posted {
  /** Absent: there was no answer. */
  readonly status?: number;
  /** As the end of a sentence: `it answered 500`. Absent: it was taken. */
  readonly failure?: string;
  /** Another attempt may do. */
  readonly again?: boolean;
  /** The receiver asks for so long a pause. */
  readonly pauseMs?: number;
}

interface Init {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly clock: Clock;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** More of an answer is not read. */
const mostBytes = 64 * 1024;

/** One POST, without following where it is sent to. Never rejects; it ends within the limit. */
export function post({ url, headers, body, clock, limitMs, signal }: Init): Promise<Posted> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ failure: 'traintop ended' });
    let answer: Posted | undefined;
    let isOver = false;
    // A header that is none throws before there is one.
    let request: ClientRequest | undefined;
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const over = (posted: Posted) => {
      if (isOver) return;
      isOver = true;
      cancel();
      signal.removeEventListener('abort', abort);
      // Nobody waits for what comes after it.
      request?.on('error', () => {});
      request?.destroy();
      // What was answered counts, also where the rest of it did not come.
      resolve(answer ?? posted);
    };
    const abort = () => over({ failure: 'traintop ended' });
    const cancel = clock.after(limitMs, () =>
      over({ failure: `it did not answer within ${limitMs / 1000} s`, again: true }),
    );
    signal.addEventListener('abort', abort);
    begin();

    function begin() {
      try {
        const length = String(Buffer.byteLength(body));
        const all = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'traintop', ...headers };
        request = send(url, { method: 'POST', headers: { ...all, connection: 'close', 'content-length': length } })
          .on('error', (error: NodeJS.ErrnoException) => over({ failure: reasonOf(error), again: true }))
          .on('response', (response) => {
            const { statusCode = 0, headers: given } = response;
            answer = answerOf(statusCode, given['retry-after']);
            let bytes = 0;
            const done = () => over(answer ?? {});
            response.on('data', (chunk: Buffer) => (bytes += chunk.length) > mostBytes && done());
            response.on('end', done).on('close', done).on('error', done);
          });
        request.end(body);
      } catch (error) {
        over({ failure: reasonOf(error as Error) });
      }
    }
  });
}

function answerOf(status: number, retryAfter: string | undefined): Posted {
  if (status >= 200 && status < 300) return { status };
  if (status >= 300 && status < 400)
    return { status, failure: `it answered ${status}, which sends elsewhere: traintop does not follow` };
  const failure = `it answered ${status}`;
  if (status < 500 && status !== 408 && status !== 429) return { status, failure };
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined;
  return { status, failure, again: true, ...(seconds !== undefined && { pauseMs: seconds * 1000 }) };
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection without an answer',
  EPIPE: 'it closed the connection without an answer',
  EPROTO: 'it does not speak https there, or none that this Node takes',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'names of hosts cannot be looked up now',
  ENETUNREACH: 'there is no network to it',
  EHOSTUNREACH: 'there is no way to it',
};

/** Certificates have codes of their own, which say it well enough. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return reasons[code ?? ''] ?? safeText(`${code === undefined ? '' : `${code}, `}${message}`).slice(0, 200);
}
