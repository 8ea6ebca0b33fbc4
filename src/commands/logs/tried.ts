import type { LogRecord } from '../../collectors/log/reader.ts';
import { groupMeaning, type GroupMeaning } from '../../collectors/log/taught/groups.ts';
import { groupsOf, type LogPattern } from '../../model/log-patterns.ts';
import type { NumberedPiece } from './pieces.ts';
import { sayRecord } from './say.ts';
import type { LogText } from './text.ts';

/** Lines that are shown of those that do not match. */
const mostOthers = 3;

/** What a pattern reads of a log: the lines that match, then what its groups mean, and how to keep it. */
export function createTriedText({ name, pattern }: LogPattern): LogText & { readonly matches: () => number } {
  let matches = 0;
  let lines = 0;
  const others: string[] = [];

  const one = (record: LogRecord<NumberedPiece>): string => {
    const text = record.texts.map((each) => each.trim()).find((each) => each !== '');
    if (text === undefined) return '';
    lines++;
    if (record.format !== name) {
      if (others.length < mostOthers) others.push(text.slice(0, 160));
      return '';
    }
    matches++;
    return `${String(record.pieces[0]?.line).padStart(9)}  ${sayRecord(record)}\n`;
  };

  return {
    matches: () => matches,
    add: (records) => records.map(one).join(''),
    end() {
      const groups = groupsOf(pattern).map((group) => `  ${group}: ${meaningText(groupMeaning(group))}`);
      const result = `${matches} of ${lines} ${lines === 1 ? 'record' : 'records'} ${matches === 1 ? 'is' : 'are'} read by it.`;
      if (matches === 0) {
        const seen =
          others.length > 0 ? ['It is held against lines without rank and escape sequences:', ...others] : [];
        return [result, ...seen, ''].join('\n');
      }
      return ['', result, ...groups, '', 'To keep it, in config.toml:', ...toml(pattern), ''].join('\n');
    },
  };
}

function meaningText(meaning: GroupMeaning): string {
  const unit = meaning.unit === undefined ? '' : `, in ${meaning.unit}`;
  if (meaning.as === 'field') {
    const scope = meaning.scope === 'gpu' ? ' of one GPU' : '';
    return `${meaning.field}${scope}${unit}`;
  }
  if (meaning.as === 'metric') return `metric ${meaning.name}`;
  if (meaning.as === 'queue') return `queue ${meaning.name}, ${meaning.part}${unit}`;
  const part = meaning.part === 'count' ? 'count' : meaning.part.replace(/Ms$/, 'Seconds');
  return `stage ${meaning.name}, ${part}${unit === '' && part !== 'count' ? ', in s' : unit}`;
}

function toml({ source }: RegExp): readonly string[] {
  const text = source.includes("'") ? JSON.stringify(source) : `'${source}'`;
  return ['[[log]]', 'name = "mine"', `pattern = ${text}`];
}
