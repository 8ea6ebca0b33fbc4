import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { UsageFault } from '../config/check-options.ts';
import { safeText } from '../model/text.ts';
import { findParts } from '../recording/find-parts.ts';
import { openRecording, RecordingFault } from '../recording/recording.ts';
import { buildReport } from '../report/build.ts';
import type { ReportData } from '../report/data.ts';
import { gatherReport } from '../report/gather.ts';
import { reportHtml } from '../report/html.ts';
import { reportMarkdown } from '../report/markdown.ts';
import { momentIn } from './moment-in.ts';
import type { ReportOptions } from './report-options.ts';
import { sameFile } from './same-file.ts';
import { version } from './version.ts';
import { zoneHere } from './zone-here.ts';

/** Writes the report of a recording. Resolves with the exit code; rejects with a RecordingFault or a UsageFault. */
export async function report(path: string, options: ReportOptions): Promise<number> {
  const { output = '-', against, from, to } = options;
  const text = await reportText(path, { output, against, from, to });
  if (output === '-') await new Promise((resolve) => process.stdout.write(text, resolve));
  else await writeWhole(output, text);
  return 0;
}

/** The report of a recording that has just been closed. Resolves with a sentence where none could be written; never rejects. */
export async function writeReport(init: {
  readonly recordingPath: string;
  readonly output: string;
  readonly against?: string | undefined;
}): Promise<string | undefined> {
  const { recordingPath, output, against } = init;
  try {
    await writeWhole(output, await reportText(recordingPath, { output, against }));
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `The report could not be written (${safeText(why)}); \`traintop report ${safeText(recordingPath)} -o FILE\` makes it anew.`;
  }
}

interface Wish {
  readonly output: string;
  readonly against?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

async function reportText(path: string, { output, against, from, to }: Wish): Promise<string> {
  const [data, other] = [await gather(path, { output, from, to }), against && (await gather(against, { output }))];
  const zoneMinutes = zoneHere(data.to);
  const document = buildReport(data, { zoneMinutes, version, ...(other && { against: other }) });
  return isPage(output) ? reportHtml(document) : reportMarkdown(document);
}

async function gather(path: string, { output, from, to }: Omit<Wish, 'against'>): Promise<ReportData> {
  const recording = await openRecording(path);
  try {
    if (output !== '-' && (await sameFile(output, (await findParts(recording.path)).files)) !== undefined)
      throw new UsageFault(`${output} is a file of the recording itself: give -o another name.`);
    const part = {
      ...(from !== undefined && { from: momentIn(recording, from, '--from') }),
      ...(to !== undefined && { to: momentIn(recording, to, '--to') }),
    };
    if ((part.from ?? -Infinity) >= (part.to ?? Infinity))
      throw new UsageFault('--from is not before --to: nothing lies between them.');
    return await gatherReport(recording, part);
  } finally {
    await recording.close();
  }
}

const isPage = (output: string) => /\.html?$/i.test(output);

/** A report is there only when it is whole; one that was there before stays until then. It is for its owner alone: logs are in it. */
async function writeWhole(output: string, text: string): Promise<void> {
  const beside = `${output}.${randomBytes(4).toString('hex')}.part`;
  try {
    const file = await open(beside, 'wx', 0o600);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    await rename(beside, output);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw new RecordingFault(`${safeText(output)} could not be written (${(error as Error).message}).`);
  }
}
