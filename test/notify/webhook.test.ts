import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { waitFor } from '../support/waiting.ts';
import { alarm, hastyClock, hostile, notifierOf, strictClock } from './made.ts';

interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

const servers = new Set<Server>();
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  servers.clear();
});

type Answer = (response: ServerResponse, count: number) => void;
const ok: Answer = (response) => response.end('ok');

/** A receiver on loopback, and what it was sent. */
async function receiver(answer: Answer = ok, server = createServer()) {
  const received: Received[] = [];
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      received.push({ method: request.method, path: request.url, headers: request.headers, body });
      answer(response, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.add(server);
  const { port } = server.address() as AddressInfo;
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  return { received, port, url: `${scheme}://127.0.0.1:${port}/services/SECRET` };
}

const failing =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end('no');

describe('a webhook', () => {
  it('is sent a ring and its resolution as JSON, with its headers', async () => {
    const { received, url } = await receiver();
    const { notifier, told } = notifierOf({ webhooks: [{ url, headers: { Authorization: 'Bearer t' } }] });
    const ring = alarm();
    notifier.tell(ring);
    notifier.tell({ ...ring, acknowledgedAt: 2500 });
    notifier.tell({ ...ring, state: 'resolved', resolvedAt: 3000, text: 'GPU 3 is at 80 °C again.' });
    await waitFor('both', () => received.length === 2);
    await notifier.close();
    expect(received.map(({ body }) => body['state'])).toEqual(['ringing', 'resolved']);
    expect(received[0]).toMatchObject({
      method: 'POST',
      path: '/services/SECRET',
      headers: { authorization: 'Bearer t', 'content-type': 'application/json; charset=utf-8' },
      body: {
        text: 'traintop: CRITICAL on gpu8: GPU 3 is at 93 °C, above 90 °C for 2m 0s.',
        content: received[0]?.body['text'],
        title: 'traintop: gpu-hot, GPU 3',
        ...{ source: 'traintop', version: 1, target: 'gpu8', alarm: 'gpu-hot', about: 'GPU 3', severity: 'critical' },
        ...{ since: '1970-01-01T00:00:01.000Z', value: 93, border: 90, unit: '°C' },
      },
    });
    expect(received[1]?.body).toMatchObject({
      text: 'traintop: resolved on gpu8: GPU 3 is at 80 °C again.',
      resolvedAt: '1970-01-01T00:00:03.000Z',
    });
    expect(told).toEqual([]);
  });

  it('hears nothing of what is muted, was seen before it was told, or matters less than it asks for', async () => {
    const { received, url } = await receiver();
    const { notifier } = notifierOf({ webhooks: [{ url, from: 'warning' }] });
    for (const more of [{ muted: true as const }, { acknowledgedAt: 5 }, { severity: 'info' as const }]) {
      const ring = alarm(more);
      notifier.tell(ring);
      notifier.tell({ ...ring, state: 'resolved' });
    }
    notifier.tell(alarm({ severity: 'warning', text: 'heard' }));
    await waitFor('one', () => received.length > 0);
    await notifier.close();
    expect(received.map(({ body }) => body['sentence'])).toEqual(['heard']);
  });

  it('is tried again after a fault of the receiver, and one that goes on is told once, without the address', async () => {
    const { received, url, port } = await receiver((response, count) =>
      failing(count < 3 ? 500 : 200)(response, count),
    );
    const { notifier, told } = notifierOf({ webhooks: [{ url }] }, { clock: hastyClock });
    notifier.tell(alarm());
    await waitFor('the third attempt', () => received.length === 3);
    await notifier.close();
    expect(told).toEqual([]);

    const down = await receiver(failing(503));
    const other = notifierOf({ webhooks: [{ url: down.url }] }, { clock: hastyClock });
    for (let i = 0; i < 3; i++) other.notifier.tell(alarm());
    await waitFor('all attempts', () => down.received.length === 12);
    await waitFor('the fault', () => other.told.length > 0);
    await other.notifier.close();
    expect(other.told).toEqual([`The webhook at 127.0.0.1:${down.port} was not told of an alarm: it answered 503.`]);
    expect(other.notifier.ways()).toEqual([`${other.told[0]} 3 earlier messages were not sent.`]);
    expect(port).not.toBe(down.port);
  });

  it('is not followed to where it redirects, nor tried again where it refuses', async () => {
    const target = await receiver();
    for (const [status, why] of [
      [301, /it answered 301, which sends elsewhere: traintop does not follow\.$/],
      [307, /it answered 307, which sends elsewhere/],
      [308, /it answered 308, which sends elsewhere/],
      [404, /it answered 404\.$/],
    ] as const) {
      const { received, url } = await receiver(failing(status, { location: target.url }));
      const { notifier, told } = notifierOf({ webhooks: [{ url }] }, { clock: hastyClock });
      notifier.tell(alarm());
      await waitFor('the fault', () => told.length > 0);
      expect(told[0]).toMatch(why);
      await notifier.close();
      expect(received).toHaveLength(1);
    }
    expect(target.received).toEqual([]);
  });

  it.each<[string, Answer, RegExp]>([
    ['never answers', () => {}, /it did not answer within 10 s\.$/],
    ['hangs up', (response) => response.socket?.destroy(), /it closed the connection without an answer\.$/],
    ['speaks no HTTP', (response) => response.socket?.end('hello\r\n\r\n'), /was not told of an alarm: HPE_/],
  ])('that %s is given up after four attempts', async (name, answer, why) => {
    const { received, url } = await receiver(answer);
    const clock = name === 'never answers' ? strictClock : hastyClock;
    const { notifier, told } = notifierOf({ webhooks: [{ url }] }, { clock });
    notifier.tell(alarm());
    await waitFor('the fault', () => told.length > 0);
    await notifier.close();
    expect(told[0]).toMatch(why);
    expect(received).toHaveLength(4);
  });

  it('has heard what it answers well to, however the rest of the answer comes', async () => {
    const endless: Answer = (response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more).on('error', () => {});
      more();
    };
    const cut: Answer = (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      setImmediate(() => response.socket?.destroy());
    };
    for (const answer of [endless, cut]) {
      const { received, url } = await receiver(answer);
      const { notifier, told } = notifierOf({ webhooks: [{ url }] }, { clock: hastyClock });
      notifier.tell(alarm());
      notifier.tell(alarm());
      await waitFor('both', () => received.length === 2);
      await notifier.close();
      expect(told).toEqual([]);
    }
  });

  it('where nothing listens is told', async () => {
    const { url } = await receiver();
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
    servers.clear();
    const { notifier, told } = notifierOf({ webhooks: [{ url }] }, { clock: hastyClock });
    notifier.tell(alarm());
    await waitFor('the fault', () => told.length > 0);
    await notifier.close();
    expect(told[0]).toMatch(/nothing listens there\.$/);
  });

  it('that cannot even be asked is told, and nothing is thrown', async () => {
    const { url } = await receiver();
    const secure = url.replace('http:', 'https:');
    for (const [webhook, why] of [
      [{ url, headers: { 'X-Team': 'a\nb' } }, /was not told of an alarm: ERR_INVALID_CHAR, .*\.$/],
      [{ url: secure }, /it does not speak https there, or none that this Node takes\.$/],
    ] as const) {
      const { notifier, told } = notifierOf({ webhooks: [webhook] }, { clock: hastyClock });
      notifier.tell(alarm());
      await waitFor('the fault', () => told.length > 0);
      await notifier.close();
      expect(told).toEqual([expect.stringMatching(why)]);
    }
  });

  it('holds nothing up while it hangs: the newest fifty wait, and how many were lost is told', async () => {
    const { received, url } = await receiver((response, count) => count > 1 && ok(response, count));
    const { notifier, told } = notifierOf({ webhooks: [{ url }] });
    const begun = performance.now();
    for (let i = 0; i < 100; i++) notifier.tell(alarm({ text: `alarm ${i}` }));
    expect(performance.now() - begun).toBeLessThan(100);
    await waitFor('the first', () => received.length === 1);
    expect(told).toEqual([expect.stringMatching(/is too slow for all alarms: the oldest that wait are not sent\.$/)]);
    expect(notifier.ways()[0]).toMatch(/49 earlier messages were not sent\.$/);
    const end = performance.now();
    await notifier.close();
    expect(performance.now() - end).toBeLessThan(4000);
    expect(received).toHaveLength(1);
  });

  it('gets hostile text as plain text: no header, no mention, bounded', async () => {
    const { received, url } = await receiver();
    const { notifier, told } = notifierOf({ webhooks: [{ url }] }, { target: hostile.join('') });
    for (const text of hostile) notifier.tell(alarm({ text, about: text }));
    await waitFor('all', () => received.length === hostile.length);
    await notifier.close();
    expect(told).toEqual([]);
    for (const { headers, body } of received) {
      expect(headers['x-evil']).toBeUndefined();
      expect(JSON.stringify(body).length).toBeLessThan(10_000);
      expect(body['text']).not.toMatch(/[\x00-\x1f\x7f-\x9f]|<|>|@[a-z]/);
      expect(body['allowed_mentions']).toEqual({ parse: [] });
    }
    expect(received[13]?.body['sentence']).toBe('<!channel> @everyone <https://a|b>');
  });

  it('by https asks for a certificate that is trusted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'traintop-webhook-'));
    try {
      const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
      const args = [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ];
      const own = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
      execFileSync('openssl', [...args, ...own, '-keyout', key, '-out', cert], { stdio: 'ignore' });
      const secure = createSecure({ key: readFileSync(key), cert: readFileSync(cert) });
      const { received, url } = await receiver(ok, secure);
      const { notifier, told } = notifierOf({ webhooks: [{ url }] }, { clock: hastyClock });
      notifier.tell(alarm());
      await waitFor('the fault', () => told.length > 0);
      await notifier.close();
      expect(told[0]).toMatch(/was not told of an alarm: DEPTH_ZERO_SELF_SIGNED_CERT/);
      expect(received).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
