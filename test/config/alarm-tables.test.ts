import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfigFile } from '../../src/config/config-file.ts';
import { readOptions } from '../../src/config/options.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'traintop-config-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const written = (text: string) => {
  const path = join(folder, 'config.toml');
  writeFileSync(path, text);
  return path;
};
const read = (text: string, environment: NodeJS.ProcessEnv = {}) => readConfigFile(written(text), environment);

describe('[alarms]', () => {
  it('says when each alarm rings, which verdicts do, and which lines of the log', () => {
    const { alarms } = read(String.raw`
      [alarms]
      gpu-hot = { threshold = 95, clear = 85, for = "1m 30s", clear-for = "2m", cool-down = "1h", severity = "info" }
      queue-full = { off = true }
      [alarms.no-step]
      for = "500ms"
      [alarms.verdicts]
      input-bound = { confidence = 0.8, for = "10m", severity = "warning" }
      stalled = { off = true }
      [[alarms.pattern]]
      name = "gradient overflow"
      match = 'overflow \d+'
      severity = "critical"
      cool-down = "0s"
    `);
    expect(alarms).toEqual({
      rules: {
        'gpu-hot': {
          ...{ threshold: 95, clear: 85, forMs: 90_000, clearForMs: 120_000, coolDownMs: 3_600_000, severity: 'info' },
        },
        'queue-full': { off: true },
        'no-step': { forMs: 500 },
      },
      verdicts: [
        { situation: 'input-bound', confidence: 0.8, forMs: 600_000, severity: 'warning' },
        { situation: 'stalled', off: true },
      ],
      patterns: [{ name: 'gradient overflow', match: /overflow \d+/, severity: 'critical', coolDownMs: 0 }],
    });
    expect(read('[alarms]\noff = true').alarms).toEqual({ off: true });
  });

  it('is over on the good side of another threshold', () => {
    expect(read('[alarms]\ngpu-hot = { threshold = 60 }').alarms?.rules?.['gpu-hot']).toEqual({
      threshold: 60,
      clear: 60,
    });
    expect(read('[alarms]\ngpu-hot = { threshold = 99 }').alarms?.rules?.['gpu-hot']).toEqual({ threshold: 99 });
    expect(() => read('[alarms]\ngpu-hot = { threshold = 80, clear = 85 }')).toThrow(
      /alarms, gpu-hot is over \(clear = 85\) where it rings \(threshold = 80\)\.$/,
    );
  });

  it.each([
    [
      '[alarms]\ngpu-hott = {}',
      /config\.toml: alarms has no "gpu-hott"; what it can have: off, run-ended, no-step, .*pattern\.$/,
    ],
    ['[alarms]\ngpu-hot = { form = "2m" }', /alarms, gpu-hot has no "form"; what it can have: threshold, clear, for,/],
    ['[alarms]\ngpu-hot = true', /alarms, gpu-hot is a table\.$/],
    ['[alarms]\ngpu-hot = { for = 2 }', /alarms, gpu-hot, for is no time: "30s"/],
    ['[alarms]\ngpu-hot = { for = "2 weeks" }', /gpu-hot, for is no time/],
    ['[alarms]\ngpu-hot = { for = "" }', /gpu-hot, for is no time/],
    ['[alarms]\ngpu-hot = { severity = "loud" }', /gpu-hot, severity is one of info, warning, critical\.$/],
    ['[alarms]\ngpu-hot = { threshold = "a" }', /gpu-hot, threshold is no number\.$/],
    ['[alarms.verdicts]\ninput = {}', /alarms, verdicts has no "input"; what it can have: compute-bound,/],
    ['[alarms.verdicts]\nstalled = { confidence = 80 }', /stalled, confidence is a share from 0 to 1\.$/],
    ['[[alarms.pattern]]\nname = "a"', /alarms, pattern 1, match is missing/],
    ['[[alarms.pattern]]\nname = "a"\nmatch = "("', /pattern 1, match is no regular expression/],
    ['[[alarms.pattern]]\nmatch = "a"', /pattern 1, name is missing/],
    [
      '[[alarms.pattern]]\nname="a"\nmatch="a"\n[[alarms.pattern]]\nname="a"\nmatch="b"',
      /pattern 2, name a is another/,
    ],
    ['[alarm]\noff = true', /config\.toml: has no "alarm"; what it can have: role, gpu-roles, log, alarms, notify\.$/],
  ])('a mistake in %j names file and key, and lists what is known', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe('[notify]', () => {
  it('says how alarms are told; what is secret is in the environment', () => {
    const text = `
      [notify]
      bell = false
      [[notify.webhook]]
      url = "https://hooks.example.com/$env:PART"
      headers = { Authorization = "Bearer $env:TOKEN" }
      from = "critical"
      [[notify.webhook]]
      url = "http://10.0.0.2:8080/topic"
      insecure = true
      [[notify.webhook]]
      url = "http://127.0.0.1:9/"
      [[notify.command]]
      argv = ["/usr/local/bin/page-me", "--loud", "$HOME"]
      from = "warning"
    `;
    expect(read(text, { PART: 'x/y', TOKEN: 'secret\n' }).notify).toEqual({
      bell: false,
      webhooks: [
        { url: 'https://hooks.example.com/x/y', headers: { Authorization: 'Bearer secret' }, from: 'critical' },
        { url: 'http://10.0.0.2:8080/topic' },
        { url: 'http://127.0.0.1:9/' },
      ],
      commands: [{ argv: ['/usr/local/bin/page-me', '--loud', '$HOME'], from: 'warning' }],
    });
    expect(() => read(text, { PART: 'x' })).toThrow(
      /config\.toml: notify, webhook 1, headers, Authorization needs TOKEN, which the environment does not have\.$/,
    );
    expect(() => read(text, { PART: 'x', TOKEN: 'a\nX-Evil: 1' })).toThrow(
      /has a character that no header can have\.$/,
    );
  });

  it.each([
    ['[notify]\nbel = true', /notify has no "bel"; what it can have: bell, tmux, desktop, webhook, command\.$/],
    ['[notify]\nbell = "no"', /notify, bell is true or false\.$/],
    [
      '[[notify.webhook]]\nurl = "http://hooks.example.com/SECRET"',
      /notify, webhook 1, url is not encrypted: use https/,
    ],
    ['[[notify.webhook]]\nurl = "http://127.0.0.1.example.com/"', /url is not encrypted/],
    ['[[notify.webhook]]\nurl = "ftp://a/SECRET"', /webhook 1, url is no address that begins with https:\/\/\.$/],
    ['[[notify.webhook]]\nfrom = "info"', /webhook 1, url is missing/],
    ['[[notify.webhook]]\nurl = "https://a"\nheaders = { "a b" = "c" }', /headers, a b is no name of a header\.$/],
    [
      '[[notify.webhook]]\nurl = "https://a"\nheaders = { Host = "c" }',
      /headers, Host is a header that traintop writes/,
    ],
    ['[[notify.command]]\nargv = []', /command 1, argv is empty\.$/],
    ['[[notify.command]]\nargv = "touch x"', /command 1, argv is a list of texts/],
  ])('a mistake in %j names file and key, and no secret', (text, message) => {
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).not.toThrow(/SECRET/);
  });
});

describe('the command line', () => {
  const options = (raw: Record<string, unknown>, text = '') => readOptions('local', { config: written(text), ...raw });

  it('adds to what the file says', () => {
    const { notify, alarms, blackBox, checkpoints } = options(
      {
        webhook: ['https://a.example/x'],
        onAlarm: ['page me'],
        checkpoints: ['/ckpt'],
        alarms: false,
        blackBox: false,
      },
      '[alarms]\nqueue-full = { off = true }\n[notify]\ndesktop = false\n[[notify.command]]\nargv = ["first"]',
    );
    expect(notify).toEqual({
      ...{ bell: true, tmux: true, desktop: false, webhooks: [{ url: 'https://a.example/x' }] },
      commands: [{ argv: ['first'] }, { argv: ['page me'] }],
    });
    expect({ alarms, blackBox, checkpoints }).toEqual({
      ...{ alarms: { rules: { 'queue-full': { off: true } }, off: true }, blackBox: false, checkpoints: ['/ckpt'] },
    });
    expect(Object.keys(options({}))).not.toEqual(expect.arrayContaining(['notify']));
  });

  it.each([
    [
      { webhook: ['http://a.example/SECRET'] },
      /^--webhook is not encrypted: use https:\/\/\. Where .*; see traintop --help\.$/,
    ],
    [{ webhook: ['x'] }, /^--webhook is no address/],
    [{ webhook: [''] }, /^--webhook is empty/],
    [{ checkpoints: ['rel'] }, /^--checkpoints is no absolute path of a folder on the host/],
  ])('a wrong option is told: %j', (raw, message) => {
    expect(() => options(raw)).toThrow(message);
    expect(() => options(raw)).not.toThrow(/SECRET/);
  });
});
