import type { Command } from '../doctor/catalogue.ts';
import { isBroken, sections, type Check, type CheckStatus } from '../doctor/check.ts';
import type { Line, Tone } from '../ui/parts/line.ts';
import { cutLine, lineWidth } from '../ui/parts/render-line.ts';
import { wrapText } from '../ui/parts/width.ts';
import { createTheme, type Theme } from '../ui/theme.ts';
import { countStatuses, statuses, type Report } from './doctor-json.ts';
import { drawPage, pageLook, pageRule, type PageOutput } from './page.ts';

const titleWidth = 14;
const indent = 3 + titleWidth;

/** What each status looks like; the mark says what the colour says. */
const looks: Readonly<
  Record<CheckStatus, { readonly mark: string; readonly ascii: string; readonly tone: Tone; readonly word: string }>
> = {
  ok: { mark: '✓', ascii: '+', tone: 'ok', word: 'ok' },
  note: { mark: '•', ascii: '*', tone: 'focus', word: 'to know' },
  warn: { mark: '▲', ascii: '!', tone: 'warn', word: 'to mend' },
  missing: { mark: '✗', ascii: 'x', tone: 'bad', word: 'missing' },
  failed: { mark: '✗', ascii: 'X', tone: 'bad', word: 'failed' },
  unknown: { mark: '?', ascii: '?', tone: 'dim', word: 'not known' },
};

/** The report for people: coloured on a terminal only, at most 100 columns wide, 80 where there is no terminal. */
export function reportText(report: Report, output: PageOutput, env: NodeJS.ProcessEnv): string {
  const look = pageLook(output, env);
  const { theme, width } = look;
  const lines = [
    ...title(report, width),
    ...sections.flatMap((section) => {
      const checks = report.checks.filter((check) => check.section === section);
      if (checks.length === 0) return [];
      return [[], pageRule(section, width), ...checks.flatMap((check) => rowsOf(check, { width, theme }))];
    }),
    [],
    ...summary(report, width, theme),
  ];
  return drawPage(lines, look);
}

function title({ target, wrap, version, demo }: Report, width: number): readonly Line[] {
  const left: Line = [
    { text: 'traintop doctor', tone: 'title' },
    { text: '  ' },
    { text: target, tone: 'focus' },
    ...(wrap === undefined ? [] : [{ text: `  ${wrap}`, tone: 'dim' as const }]),
    ...(demo ? [{ text: '  simulated', tone: 'warn' as const }] : []),
  ];
  const shown = cutLine(left, width - version.length - 1);
  return [[...shown, { text: ' '.repeat(width - lineWidth(shown) - version.length) }, { text: version, tone: 'dim' }]];
}

function rowsOf(check: Check, { width, theme }: { readonly width: number; readonly theme: Theme }): readonly Line[] {
  const { mark, ascii, tone } = looks[check.status];
  const body = (text: string, before: string, textTone: Tone): readonly Line[] =>
    wrapText(text, width - indent - before.length).map((row, i) => [
      { text: ' '.repeat(indent) + (i === 0 ? before : ' '.repeat(before.length)), tone: textTone },
      { text: row, tone: textTone },
    ]);
  const [first, ...more] = body(check.found, '', check.status === 'unknown' ? 'dim' : 'plain');
  const word = check.status === 'missing' || check.status === 'failed' ? tone : 'plain';
  return [
    [
      { text: ` ${theme.ascii ? ascii : mark} `, tone },
      { text: check.title.padEnd(titleWidth), tone: word === 'plain' ? 'strong' : word },
      ...(first?.slice(1) ?? []),
    ],
    ...more,
    ...(check.why === undefined ? [] : body(check.why, '', 'dim')),
    ...(check.mend === undefined ? [] : body(check.mend, '→ ', tone === 'ok' ? 'dim' : tone)),
  ];
}

function summary({ checks, recording }: Report, width: number, theme: Theme): readonly Line[] {
  const counts = countStatuses(checks);
  const parts = statuses
    .filter((status) => counts[status] > 0)
    .flatMap((status, i): Line => {
      const { mark, ascii, tone } = looks[status];
      // What was then cannot be mended.
      const word = recording && status === 'warn' ? 'to look at' : looks[status].word;
      return [{ text: `${i === 0 ? '' : '  '}${theme.ascii ? ascii : mark} ${counts[status]} ${word}`, tone }];
    });
  const broken = checks.filter(isBroken).map(({ title }) => title);
  const verdict =
    broken.length === 0
      ? recording
        ? 'It can be read.'
        : 'All that is needed works.'
      : recording
        ? 'Nothing can be read of it.'
        : `Needed, and ${broken.length === 1 ? 'it does' : 'they do'} not work: ${broken.join(', ')}.`;
  return [
    [{ text: '─'.repeat(width), tone: 'dim' }],
    [{ text: ' ' }, ...parts],
    ...wrapText(verdict, width - 1).map((row): Line => [
      { text: ' ' },
      { text: row, tone: broken.length === 0 ? 'strong' : 'bad' },
    ]),
  ];
}

/** The scripts for people who want to know what would run: each whole, as it is sent. */
export function commandsText(
  commands: readonly Command[],
  { target, wrap }: { readonly target?: string | undefined; readonly wrap?: string | undefined },
  env: NodeJS.ProcessEnv,
): string {
  const theme = createTheme({ ...env, NO_COLOR: '1' });
  const where =
    target === undefined
      ? 'This is for a typical host: Debian with procps 4.0.4, mawk and NVIDIA GPUs, and a run of PID 4242. Name a TARGET to see its own.'
      : `This is for ${target} as it is now.`;
  const head = [
    `All that traintop runs on a host is \`${wrap === undefined ? '' : `${wrap} `}sh -s\`, with one of these scripts on its standard input, whole as they stand here; NONCE is a random word of each channel. Later lines there are ticks, PIDs and signs of life. ${where}`,
    'A shell that leads no process group (behind lxc-attach, nsenter, sudo) begins anew by setsid and is sent the script once more, without the lines that see to that. Beside these there is your own shell by `!`.',
  ];
  const parts = commands.flatMap(({ name, when, reads, script }, i) => [
    '',
    pageRule(`${i + 1} ${name}`, 80)
      .map(({ text }) => text)
      .join(''),
    ...wrapText(`when: ${when}`, 80),
    ...wrapText(`reads: ${reads}`, 80),
    '',
    script.trimEnd(),
  ]);
  const lines = [...head.flatMap((text) => wrapText(text, 80)), ...parts];
  return lines.map((line) => `${theme.ascii && line.startsWith('─') ? line.replaceAll('─', '-') : line}\n`).join('');
}
