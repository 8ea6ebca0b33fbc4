import { z } from 'zod';
import { defaultNotify, type NotifySettings } from '../model/alarms/notify-settings.ts';
import { UsageFault } from './check-options.ts';
import type { ConfigFile } from './config-file.ts';
import { webhookUrl } from './notify-tables.ts';
import type { Options } from './options.ts';

const texts = z.array(z.string().min(1, 'is empty')).default([]);

/** Of the command line: what is about alarms. */
export const alarmShape = {
  alarms: z.boolean().default(true),
  webhook: texts,
  onAlarm: texts,
  blackBox: z.boolean().default(true),
  checkpoints: z
    .array(z.string().regex(/^(?:\/|~(?:\/|$))[^\x00-\x1f\x7f]*$/, 'is no absolute path of a folder on the host'))
    .default([]),
};

type Given = { readonly [K in keyof typeof alarmShape]: z.output<(typeof alarmShape)[K]> };

/** What the command line says of alarms, with what the file says. Throws a UsageFault that names the option. */
export function alarmOptions(
  { alarms, webhook, onAlarm, blackBox, checkpoints }: Given,
  file: ConfigFile,
  environment: NodeJS.ProcessEnv,
): Pick<Options, 'alarms' | 'notify' | 'blackBox' | 'checkpoints'> {
  const webhooks = webhook.map((text) => {
    const read = webhookUrl({ text, environment });
    if ('why' in read) throw new UsageFault(`--webhook ${read.why}; see traintop --help.`);
    return { url: read.value };
  });
  const commands = onAlarm.map((program) => ({ argv: [program] }));
  const said = file.notify !== undefined || webhooks.length > 0 || commands.length > 0;
  const notify: NotifySettings = {
    ...defaultNotify,
    ...file.notify,
    webhooks: [...(file.notify?.webhooks ?? []), ...webhooks],
    commands: [...(file.notify?.commands ?? []), ...commands],
  };
  return {
    ...(file.alarms && { alarms: file.alarms }),
    ...(!alarms && { alarms: { ...file.alarms, off: true } }),
    ...(said && { notify }),
    ...(!blackBox && { blackBox }),
    ...(checkpoints.length > 0 && { checkpoints }),
  };
}
