import { systemClock } from '../clock.ts';
import { isBroken } from '../doctor/check.ts';
import { judgeRecording } from '../doctor/judge-recording.ts';
import type { RecordingFindings } from '../doctor/recording-findings.ts';
import { createRecordingSurvey } from '../doctor/recording-survey.ts';
import { loadState } from '../model/saved-state.ts';
import { openRecording } from '../recording/recording.ts';
import { reportObject, type Report } from './doctor-json.ts';
import { reportText } from './doctor-text.ts';
import { createProgress } from './progress.ts';
import { recordingFiles } from './recording-files.ts';
import { version } from './version.ts';

/**
 * Prints what is in a recording and what is missing in it. Resolves with the exit code: 1 when nothing can be read of it. Rejects
 * with a RecordingFault for what is none.
 */
export async function doctorRecording(path: string, { json }: { readonly json: boolean }): Promise<number> {
  const { path: found, ...findings } = await read(path);
  const { header, from, to, bytes, parts, faults, survey } = findings;
  const report: Report = {
    checks: judgeRecording(findings),
    version,
    time: systemClock.now(),
    target: found,
    ran: [],
    ...(header.demo && { demo: true }),
    recording: {
      target: header.target,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      seconds: (to - from) / 1000,
      bytes,
      parts,
      samples: survey.samples,
      ...faults,
    },
  };
  const text = json ? reportObject(report) : reportText(report, process.stdout, process.env);
  await new Promise((resolve) => process.stdout.write(text, resolve));
  return report.checks.some(isBroken) ? 1 : 0;
}

/** Reads all of it: a source's states are told by Samples all over it. */
async function read(path: string): Promise<RecordingFindings & { readonly path: string }> {
  const recording = await openRecording(path);
  const progress = createProgress(`Reading ${recording.path}`);
  try {
    const { header, from, to, holes } = recording;
    const { missing, removed, ...files } = await recordingFiles(recording.path, systemClock.now());
    const survey = createRecordingSurvey(holes);
    const cursor = await recording.cursor(from);
    if (cursor.saved) survey.begin(loadState(cursor.saved.state).state, cursor.saved.time);
    for (let samples = await cursor.next(); samples; samples = await cursor.next()) {
      progress.at(((samples[0]?.receivedAt ?? from) - from) / (to - from + 1));
      for (const sample of samples) survey.add(sample);
    }
    return {
      ...{ path: recording.path, header, from, to, holes },
      ...files,
      missingParts: missing,
      removedParts: removed,
      faults: recording.faults(),
      survey: survey.result(),
    };
  } finally {
    progress.end();
    await recording.close();
  }
}
