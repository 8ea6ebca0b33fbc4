import type { LogEvent, LogLine } from '../../model/samples.ts';
import { failureIn, wordsOf } from './events/rules.ts';
import { errorWord, levelWord, otherWord } from './events/words.ts';

type Level = LogLine['level'];
/** A logger says that it is neither. */
type Said = Level | 'calm';

/** Where a logger's own word stands. */
const longestHead = 200;
/** What a line is, it says near its beginning. */
const longestSearched = 2000;
const measure = String.raw`(?!\s*[-+]?[\d.]+(?:e[-+]?\d+)?%?(?:\s|[,;|)]|$))`;
/** `Test Error:` stands above what an evaluation gave. */
const notMeasured = String.raw`(?<!\b(?:[Tt]est|[Vv]al(?:id(?:ation)?)?|[Ee]val(?:uation)?|[Tt]rain(?:ing)?|[Mm]ean|[Aa]verage|[Aa]vg|[Ss]quared|[Aa]bsolute) )`;
const notSetting = String.raw`(?<!\blevel(?: is| set)?(?: to)?[:=]? ?)`;

/** Standard words, as logging, loguru, rich, log4j, slog and env_logger write them. */
const upper = new RegExp(
  String.raw`(?:^|[\s[(|<"'>*:-])${notSetting}(TRACE|DEBUG|INFO|NOTICE|SUCCESS|WARN(?:ING)?|ERROR|ERR|CRITICAL|CRIT|FATAL|SEVERE|EMERG|ALERT|PANIC)(?=$|[\s\])|>"':,*-])${measure}`,
);
/** structlog, nginx: `[error    ]`. */
const bracketed = /\[(debug|info|notice|warn(?:ing)?|err(?:or)?|crit(?:ical)?|fatal|alert|emerg)\s*\]/i;
/** JSON lines and logfmt. */
const keyed =
  /(?:^|[\s{,])"?(?:level|lvl|severity|levelname|level_name|log\.level|log_level|loglevel)"?\s?[:=]\s?"?([A-Za-z]+|\d0)\b/i;
const isKeyed = /^\s*\{|\b(?:msg|message|time|ts|timestamp|event)=/;
/** glog, klog and PyTorch: `E1129 14:22:21.473000`, `[E ProcessGroupNCCL.cpp:458]`; TensorFlow: `2026-03-01 10:11:12.131415: W tensorflow/...`. */
const letter =
  /^\[?([EWFI])(?:\d{3,4} \d\d:\d\d:\d\d| \w+\.(?:cpp|cc|cu|h):\d+\])|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: ([EWFI]) \S/;

/** How bad a line says it is in plain words. */
const error = new RegExp(
  [
    String.raw`(?:^|[\s.:])[A-Z]\w*(?:Error|Exception)(?::${measure}|$)`,
    String.raw`(?:^|\s)${notMeasured}(?:Error|error|fatal|fatal error|Fatal error):${measure}`,
    String.raw`\bSegmentation fault\b|\(core dumped\)|\bpanicked at\b|\bAssertion .* failed\b`,
    String.raw`\b(?:CUDA|HIP|cuDNN|cuBLAS|NCCL) (?:runtime |driver |internal )?error: `,
  ].join('|'),
);
const warning = new RegExp(String.raw`(?:^|\s|\()[Ww]arning:${measure}|\b[A-Z]\w*Warning(?::|$)`);
const otherWords =
  /(?:^|[\s[【])(?:(错误|錯誤|エラー|오류|ошибка|Fehler|Erreur)|(警告|경고|предупреждение|Warnung|Avertissement))[:：\]】]/i;

/** How bad a line says it is: by its logger's word, by what it tells of, else by its own plain words. */
export function levelOf(whole: string): Level {
  const text = whole.length > longestSearched ? whole.slice(0, longestSearched) : whole;
  const words = wordsOf(text);
  const said = saidLevel(text, words);
  if (said === 'error' || said === 'warning') return said;
  const failure = failureIn(text);
  if (failure) return levelOfFailure(failure);
  if (said === 'calm') return undefined;
  if ((words & (errorWord | levelWord)) !== 0) {
    if (error.test(text)) return 'error';
    return warning.test(text) ? 'warning' : undefined;
  }
  const other = words & otherWord ? otherWords.exec(text) : null;
  if (!other) return undefined;
  return other[1] === undefined ? 'warning' : 'error';
}

function saidLevel(text: string, words: number): Said {
  const initial = letterOf(text);
  if (initial !== undefined) return initial;
  const isJson = text.charCodeAt(0) === 0x7b;
  if ((words & (errorWord | levelWord)) === 0 && !isJson) return undefined;
  const head = text.length > longestHead ? text.slice(0, longestHead) : text;
  if (isKeyed.test(head)) {
    const key = keyed.exec(isJson ? text : head)?.[1];
    if (key !== undefined) return levelNamed(key);
    if (isJson) return undefined;
  }
  const named = upper.exec(head) ?? bracketed.exec(head);
  return named ? levelNamed(named[1] ?? '') : undefined;
}

function letterOf(text: string): Said {
  const first = text.charCodeAt(0);
  // E, F, I, W, `[` and digits.
  if (first !== 0x45 && first !== 0x46 && first !== 0x49 && first !== 0x57 && first !== 0x5b && first !== 0x32)
    return undefined;
  const match = letter.exec(text);
  const initial = match?.[1] ?? match?.[2];
  if (initial === undefined) return undefined;
  if (initial === 'I') return 'calm';
  return initial === 'W' ? 'warning' : 'error';
}

/** By a logger's word, or its number (pino, bunyan). */
function levelNamed(word: string): Said {
  if (/^(?:err|crit|fatal|severe|emerg|alert|panic|[5-9]0)/i.test(word)) return 'error';
  return /^(?:warn|40)/i.test(word) ? 'warning' : 'calm';
}

function levelOfFailure({ kind, details }: LogEvent): Level {
  if (kind === 'overflow' || kind === 'signal' || kind === 'not_finite' || kind === 'loss_spike') return 'warning';
  return kind === 'rank_exit' && details?.['code'] === 0 ? undefined : 'error';
}
