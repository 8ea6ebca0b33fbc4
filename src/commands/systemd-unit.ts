/** What a unit file is made of. */
export interface UnitInit {
  /** Absolute paths. */
  readonly node: string;
  readonly program: string;
  /** Behind `watch --headless`: the target and the options, each one word. */
  readonly words: readonly string[];
  readonly target: string;
  /** The file's name, for the comments. */
  readonly name: string;
  /** What it is to find as here: where state, captures and the configuration are. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A unit of the user's systemd that keeps watch. */
export function systemdUnit({ node, program, words, target, name, variables = {} }: UnitInit): string {
  const command = [node, program, 'watch', '--headless', ...words].map(quoteForSystemd).join(' ');
  const environment = Object.entries(variables).map(([key, value]) => `Environment=${quoted(`${key}=${value}`)}\n`);
  return `# Keeps watch over ${oneLine(target)} without a screen. Made by traintop init --systemd.
#   mkdir -p ~/.config/systemd/user && mv ${name} ~/.config/systemd/user/
#   systemctl --user daemon-reload && systemctl --user enable --now ${name}
#   loginctl enable-linger            it begins at boot, and stays when you log out
#   journalctl --user -u ${name} -f   what it says
#   traintop attach                   the screen on it

[Unit]
Description=traintop watches ${oneLine(target).replaceAll('%', '%%')}
Documentation=man:systemd.service(5)
StartLimitIntervalSec=600
StartLimitBurst=5

[Service]
Type=exec
${environment.join('')}ExecStart=${command}
# 2: nothing that trying again mends (a refused log-in, an unknown host key, a watch of the same that runs already).
Restart=on-failure
RestartSec=15
RestartPreventExitStatus=2
# SIGTERM closes the recording.
KillMode=mixed
KillSignal=SIGTERM
TimeoutStopSec=30
Nice=5
UMask=0077

[Install]
WantedBy=default.target
`;
}

/**
 * One word of ExecStart (systemd.service(5), systemd.syntax(7)): in double quotes, where \\ and " have a backslash; % and $ are doubled, for
 * specifiers and variables. Throws where a word has a character that no unit file takes.
 */
export function quoteForSystemd(word: string): string {
  return quoted(word.replaceAll('$', '$$$$'));
}

/** In Environment= a $ is itself. */
function quoted(word: string): string {
  if (/[\0\n\r]/.test(word)) throw new Error('a word has a line end');
  const doubled = word.replaceAll('%', '%%');
  if (/^[\w@./:=+,%$-]+$/.test(doubled)) return doubled;
  return `"${doubled.replace(/[\\"]/g, '\\$&').replaceAll('\t', '\\t')}"`;
}

const oneLine = (text: string) => text.replace(/[\x00-\x1f\x7f]+/g, ' ').replace(/\\$/, '');
