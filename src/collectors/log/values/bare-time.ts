import { remember } from './remember.ts';
import { translate } from './tongues.ts';

/** Words that say that something took a time, and not what. */
const lasting =
  /^(?:took|takes?|taken|time|times?[ _]taken|elapsed|duration|dur|seconds?|secs?|s|ms|millis|用了|历时|所要時間|所要|소요|소요시간|заняло|durée|durata|duração|duración|dauer|dauerte|a duré|tardó|levou|demorou|za|süre)$/i;

/** `took 3.2 s`, `耗时 96.4 秒`, `took_s`: the name of no stage. */
export const isBareTime = remember(
  (name) =>
    lasting.test(name) ||
    lasting.test(translate(name.toLowerCase())) ||
    /^(?:took|taken|duration)[_ ](?:s|ms|secs?|seconds)$/i.test(name),
);
