import type { LogLine } from '../../model/samples.ts';

const error = new RegExp(
  [
    'Traceback \\(most recent call last\\)',
    // An exception's last line: `torch.OutOfMemoryError: CUDA out of memory`.
    '(?:^|[\\s.:])[A-Z]\\w*(?:Error|Exception)(?::|$)',
    '(?:^|\\s)(?:Error|error|fatal error|Fatal Python error|slurmstepd: error):',
    'CUDA out of memory|CUDA error|RESOURCE_EXHAUSTED|Out of memory: Killed',
    'Watchdog caught collective|detected by watchdog|DistBackendError',
    'NVRM: (?:Xid|fallen off)|fallen off the bus',
    'Segmentation fault|core dumped|DUE TO TIME LIMIT',
    '\\b(?:ERROR|FATAL|CRITICAL)\\b(?![=_])',
    // glog and torch's elastic launcher: E1129 14:22:21.473000
    '^\\[?[EF]\\d{3,4} \\d\\d:\\d\\d:\\d\\d',
    '^\\[E ProcessGroupNCCL',
  ].join('|'),
);

const warning = /\bWARN(?:ING)?\b|\bWarning:|\b\w*Warning(?::|$)|^\[?W\d{3,4} \d\d:\d\d:\d\d|\bOVERFLOW!|\bwarning:/;

/** How bad a line says it is, by its own plain words. */
export function levelOf(text: string): LogLine['level'] {
  if (error.test(text)) return 'error';
  return warning.test(text) ? 'warning' : undefined;
}
