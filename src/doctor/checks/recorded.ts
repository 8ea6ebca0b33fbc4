import { checksOf, type Check, type Told } from '../check.ts';
import type { RecordingFindings } from '../recording-findings.ts';
import { spellBytes, spellCount, spellDuration, spellTime } from '../spell.ts';

const check = checksOf('Recording');

/** The recording itself: what it is of, how long and large it is, and whether it is whole. */
export function recordedChecks(findings: RecordingFindings): readonly Check[] {
  return [
    check('recording', 'recording', tellOrigin(findings)),
    check('recording.time', 'time', tellTime(findings)),
    check('recording.size', 'size', tellSize(findings)),
    check('recording.content', 'content', tellContent(findings)),
    check('recording.holes', 'holes', tellHoles(findings)),
    check('recording.lines', 'lines', tellLines(findings)),
    check('recording.end', 'end', tellEnd(findings)),
    check('recording.clock', 'clock', tellClock(findings)),
  ];
}

function tellOrigin({ header }: RecordingFindings): Told {
  const { traintop, format, target, wrap, demo, imported, session } = header;
  if (session === '')
    return { status: 'warn', found: 'its beginning is lost', why: 'what it is of stood there; all else is as it was' };
  const of = `${demo ? 'a simulated host' : target}${wrap === undefined ? '' : ` through ${wrap}`}`;
  if (imported)
    return {
      status: 'note',
      found: `made by traintop ${traintop} of saved command output`,
      why: `of ${imported.slice(0, 8).join(', ')}${imported.length > 8 ? ` and ${imported.length - 8} more` : ''}: what they do not say is not in it`,
    };
  return { status: demo ? 'note' : 'ok', found: `of ${of}, made by traintop ${traintop} in format ${format}` };
}

function tellTime({ from, to, holes }: RecordingFindings): Told {
  const missing = holes.reduce((sum, hole) => sum + hole.to - hole.from, 0);
  const length = spellDuration(to - from);
  return {
    status: 'ok',
    found: `${spellTime(from)} to ${spellTime(to)}: ${length}${missing > 0 ? `, of which ${spellDuration(to - from - missing)} were recorded` : ''}`,
  };
}

function tellSize({ bytes, parts, missingParts, removedParts, from, to }: RecordingFindings): Told {
  // Of some seconds nothing can be said for an hour.
  const rate = to - from < 60_000 ? '' : `, ${spellBytes((bytes * 3_600_000) / (to - from))} an hour`;
  const found = `${spellBytes(bytes)} in ${spellCount(parts, 'part')}${rate}`;
  if (missingParts.length === 0 && removedParts > 0)
    return {
      status: 'note',
      found,
      why: `its first ${spellCount(removedParts, 'part')} ${removedParts === 1 ? 'was' : 'were'} removed, as the oldest are to make room`,
    };
  if (missingParts.length === 0) return { status: 'ok', found };
  const which = missingParts.slice(0, 8).join(', ');
  return {
    status: 'warn',
    found,
    why: `${missingParts.length === 1 ? 'part' : 'parts'} ${which}${missingParts.length > 8 ? ', ...' : ''} of it ${missingParts.length === 1 ? 'is' : 'are'} not there`,
    mend: 'copy the whole folder of a recording',
  };
}

function tellContent({ survey }: RecordingFindings): Told {
  if (survey.samples === 0)
    return {
      status: 'missing',
      needed: true,
      found: 'nothing can be read of it',
      why: 'it has a beginning, and no Sample',
    };
  return { status: 'ok', found: spellCount(survey.samples, 'Sample') };
}

function tellHoles({ holes }: RecordingFindings): Told {
  const [first] = holes;
  if (!first) return { status: 'ok', found: 'none' };
  const longest = holes.reduce((most, hole) => (hole.to - hole.from > most.to - most.from ? hole : most), first);
  const total = holes.reduce((sum, hole) => sum + hole.to - hole.from, 0);
  return {
    status: 'warn',
    found: `${spellCount(holes.length, 'hole')}, ${spellDuration(total)} together`,
    why: `nothing was recorded then${holes.length > 1 ? ', the longest' : ''} from ${spellTime(longest.from)} to ${spellTime(longest.to)}: that machine slept, or could not write`,
  };
}

function tellLines({ faults: { brokenLines, withheldLines, brokenBytes } }: RecordingFindings): Told {
  if (brokenLines + withheldLines + brokenBytes === 0) return { status: 'ok', found: 'all were read' };
  const what = [
    ...(brokenLines > 0 ? [spellCount(brokenLines, 'line')] : []),
    ...(withheldLines > 0 ? [`${spellCount(withheldLines, 'line')} that lean on a missing one`] : []),
    ...(brokenBytes > 0 ? [spellBytes(brokenBytes)] : []),
  ];
  return {
    status: 'warn',
    found: `${what.join(' and ')} could not be read`,
    why: 'the file was cut or changed after it was written; all else is there',
  };
}

function tellEnd({ end, to, header }: RecordingFindings): Told {
  if (header.imported && end !== 'cut') return { status: 'ok', found: `the files end at ${spellTime(to)}` };
  switch (end) {
    case 'closed':
      return { status: 'ok', found: `it was closed at ${spellTime(to)}` };
    case 'written':
      return { status: 'note', found: 'it is still being written' };
    case 'cut':
      return {
        status: 'warn',
        found: `it was never closed, and stops at ${spellTime(to)}`,
        why: 'the monitor was killed, its machine went down, or the folder was copied meanwhile: the last five seconds may be missing',
      };
    case 'elsewhere':
      return {
        status: 'unknown',
        found: `another machine wrote it until ${spellTime(to)}`,
        why: 'it was not closed by then, and whether that one still writes cannot be seen from here',
      };
    case 'unknown':
      return { status: 'unknown', found: 'a single file does not tell whether it was closed' };
  }
}

function tellClock({ header, survey }: RecordingFindings): Told {
  const offset = header.clockOffsetMs ?? survey.facts?.clockOffsetMs;
  if (offset === undefined) return { status: 'unknown', found: 'the clock of the host was not measured' };
  const found = `the host was ${Math.abs(offset) < 1 ? 'exact' : `${spellDuration(Math.abs(offset))} ${offset > 0 ? 'ahead' : 'behind'}`}`;
  if (Math.abs(offset) < 1000) return { status: 'ok', found };
  return { status: 'note', found, why: 'times here are those of the machine that recorded' };
}
