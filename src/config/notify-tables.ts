import { z } from 'zod';
import type { AlarmCommand, NotifySettings, Webhook } from '../model/alarms/notify-settings.ts';
import { severity } from './alarm-tables.ts';
import { strictTable } from './strict-table.ts';

const flag = z.boolean('is true or false').optional();
const text = z.string('is no text').min(1, 'is empty');

/** More ways are a mistake. */
const most = 20;

function faultOfHeader(name: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name)) return 'is no name of a header';
  const own = /^(?:host|content-length|transfer-encoding|connection|upgrade|expect)$/i;
  return own.test(name) ? 'is a header that traintop writes itself' : undefined;
}

const webhook = strictTable({
  url: z.string('is missing: the address is a text').min(1, 'is empty'),
  headers: z
    .record(z.string(), text, 'is a table: Authorization = "Bearer $env:TOKEN"')
    .superRefine((headers, context) => {
      for (const name of Object.keys(headers)) {
        const message = faultOfHeader(name);
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
      }
    })
    .optional(),
  from: severity.optional(),
  insecure: z.literal(true, 'is true or absent').optional(),
});

const command = strictTable({
  argv: z.array(text, 'is a list of texts: ["/usr/local/bin/page-me", "--loud"]').min(1, 'is empty'),
  from: severity.optional(),
});

/** `[notify]` of the configuration. */
export const notifyTables = strictTable({
  bell: flag,
  tmux: flag,
  desktop: flag,
  webhook: z
    .array(webhook, 'is a list of tables: [[notify.webhook]]')
    .max(most, `has more than ${most} receivers`)
    .optional(),
  command: z
    .array(command, 'is a list of tables: [[notify.command]]')
    .max(most, `has more than ${most} programs`)
    .optional(),
});

/** What the file says of how alarms are told. */
export type NotifyFile = Partial<NotifySettings>;

/** What the tables say, with what stands in the environment. `fail` is told of what is wrong, as the end of a sentence that begins with the key. */
export function notifyOf(
  tables: z.output<typeof notifyTables>,
  environment: NodeJS.ProcessEnv,
  fail: (path: readonly PropertyKey[], why: string) => Error,
): NotifyFile {
  const { bell, tmux, desktop, webhook = [], command = [] } = tables;
  const webhooks = webhook.map(({ url, headers, from, insecure }, i): Webhook => {
    const path = ['webhook', i];
    const address = checked(
      webhookUrl({ text: url, environment, insecure: insecure === true }),
      [...path, 'url'],
      fail,
    );
    const filled = Object.entries(headers ?? {}).map(([name, value]) => {
      const key = [...path, 'headers', name];
      const content = checked(withEnvironment(value, environment), key, fail);
      // As HTTP has it; the value itself is a secret, and is not told.
      if (/[^\t\x20-\x7e\x80-\xff]/.test(content.value)) throw fail(key, 'has a character that no header can have');
      return [name, content.value] as const;
    });
    return {
      url: address.value,
      ...(headers && { headers: Object.fromEntries(filled) }),
      ...(from !== undefined && { from }),
    };
  });
  const commands = command.map(({ argv, from }): AlarmCommand => ({ argv, ...(from !== undefined && { from }) }));
  return {
    ...(bell !== undefined && { bell }),
    ...(tmux !== undefined && { tmux }),
    ...(desktop !== undefined && { desktop }),
    ...(webhooks.length > 0 && { webhooks }),
    ...(commands.length > 0 && { commands }),
  };
}

type Read = { readonly value: string } | { readonly why: string };

/** An address that JSON may be sent to; why not never has it in it: its path is often a secret. */
export function webhookUrl(init: {
  readonly text: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly insecure?: boolean;
}): Read {
  const filled = withEnvironment(init.text, init.environment);
  if ('why' in filled) return filled;
  const url = URL.canParse(filled.value) ? new URL(filled.value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return { why: 'is no address that begins with https://' };
  if (url.protocol === 'https:' || init.insecure || isLoopback(url.hostname)) return { value: url.href };
  return {
    why: 'is not encrypted: use https://. Where the way there is safe, [[notify.webhook]] of the configuration takes http:// with insecure = true',
  };
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);
}

/** `$env:NAME` is what the environment has by that name: a token needs not stand in a file. */
function withEnvironment(text: string, environment: NodeJS.ProcessEnv): Read {
  const missing = [...text.matchAll(/\$env:(\w+)/g)].find(([, name = '']) => (environment[name] ?? '') === '');
  if (missing) return { why: `needs ${missing[1] ?? ''}, which the environment does not have` };
  return { value: text.replace(/\$env:(\w+)/g, (_, name: string) => (environment[name] ?? '').trim()) };
}

function checked(read: Read, path: readonly PropertyKey[], fail: (path: readonly PropertyKey[], why: string) => Error) {
  if ('why' in read) throw fail(path, read.why);
  return read;
}
