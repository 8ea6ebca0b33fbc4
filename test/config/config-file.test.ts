import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultConfigFile, gpuList, readConfigFile } from '../../src/config/config-file.ts';
import { readOptions } from '../../src/config/options.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'traintop-config-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const written = (text: string | Buffer) => {
  const path = join(folder, 'config.toml');
  writeFileSync(path, text);
  return path;
};
const read = (text: string | Buffer) => readConfigFile(written(text), {});

describe('the configuration file', () => {
  it('has rules for threads, in their order, and roles of GPUs', () => {
    const { roles, gpuRoles } = read(`
      [[role]]
      role = "loader"
      name = "^(prefetch|load)"
      [[role]]
      role = "writer"
      stack = 'save_shard \\(.*ckpt\\.py\\)'
      comm = "python"
      [gpu-roles]
      target = "0,1,4-6"
      drafter = [2, 3]
    `);
    expect(roles).toEqual([
      { role: 'loader', name: /^(prefetch|load)/ },
      { role: 'writer', stack: /save_shard \(.*ckpt\.py\)/, comm: /python/ },
    ]);
    expect(gpuRoles).toEqual([
      { role: 'target', gpus: [0, 1, 4, 5, 6] },
      { role: 'drafter', gpus: [2, 3] },
    ]);
  });

  it('teaches about logs, with patterns as JavaScript and as Python writes them', () => {
    const { logPatterns } = read(String.raw`
      [[log]]
      name = "mine"
      pattern = '^nll (?P<loss>\S+) t (?P<step_time>\S+)'
      units = { step_time = "ms" }
      scope = "gpu"
      [[log]]
      pattern = 'q (?<queue_in>\d+)'
    `);
    expect(logPatterns).toEqual([
      { name: 'mine', pattern: /^nll (?<loss>\S+) t (?<step_time>\S+)/, units: { step_time: 'ms' }, scope: 'gpu' },
      { name: 'log-2', pattern: /q (?<queue_in>\d+)/ },
    ]);
  });

  it('need not be there, unless it is named', () => {
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect(readConfigFile(undefined, { XDG_CONFIG_HOME: join(folder, 'none') })).toEqual({
      roles: [],
      gpuRoles: [],
      logPatterns: [],
    });
    expect(() => readConfigFile(join(folder, 'none.toml'), {})).toThrow(
      /none\.toml cannot be read: there is no such file\.$/,
    );
    for (const path of [folder, '/dev/zero', fifo])
      expect(() => readConfigFile(path, {})).toThrow(`${path} is no configuration: it is no file.`);
    expect(readConfigFile('/dev/null', {}).roles).toEqual([]);
    expect(defaultConfigFile({ XDG_CONFIG_HOME: '/x' })).toBe('/x/traintop/config.toml');
    expect(defaultConfigFile({ XDG_CONFIG_HOME: 'x' })).toMatch(/\/\.config\/traintop\/config\.toml$/);
  });

  it.each([
    ['[[role]]\nname = "x"', /config\.toml: role 1, role is missing/],
    ['[[role]]\nrole = "a"\nname = "x"\n[[role]]\nrole = "b"', /role 2 has no pattern: name, comm or stack\.$/],
    ['[[role]]\nrole = "a"\nname = "("', /role 1, name is no regular expression \(.*\)\.$/],
    ['[[role]]\nrole = "a"\nnaem = "x"', /role 1 .*naem/],
    ['[[role]]\nrole = "a\\u001b[2J"\nname = "x"', /role 1, role has a control character\.$/],
    ['[role]\nrole = "a"', /role is a list of tables/],
    ['[gpu-roles]\ntarget = "0-"', /gpu-roles, target is a list of GPUs/],
    ['[gpu-roles]\ntarget = [-1]', /gpu-roles, target 1 is no GPU\.$/],
    ['[gpu_roles]\ntarget = "0"', /gpu_roles/],
    ['[[role]]\nrole = "a', /config\.toml: line 2 is no TOML: .*\.$/],
    ['[[log]]\nname = "a"', /log 1, pattern is missing/],
    ['[[log]]\npattern = "loss (\\\\S+)"', /log 1, pattern has no named group, as in loss/],
    ['[[log]]\npattern = "("', /log 1, pattern is no regular expression/],
    ['[[log]]\npattern = "(?<a>x)"\nunits = { b = "ms" }', /log 1, units, b is no group of the pattern\.$/],
    ['[[log]]\npattern = "(?<a>x)"\nunits = { a = "fortnights" }', /log 1, units, a is one of us, ms, s/],
    ['[[log]]\npattern = "(?<a>x)"\nscope = "all"', /log 1, scope is "gpu" or "global"\.$/],
    ['[[log]]\npattern = "(?<a>x)"\nname = "a b"', /log 1, name is up to 40 letters/],
    ['[[log]]\npattern = "(?<a>x)"\nname = "a"\n[[log]]\npattern = "(?<a>x)"\nname = "a"', /log 2, name a is another/],
    ['[log]\npattern = "(?<a>x)"', /log is a list of tables/],
    [Buffer.from([0xff, 0xfe, 0x00]), /config\.toml: line 1 is no TOML/],
  ])('a mistake in %j names file and key', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe('roles of GPUs on the command line', () => {
  it.each([
    ['0', [0]],
    ['0,1, 4-6', [0, 1, 4, 5, 6]],
    ['3-1', undefined],
    ['', undefined],
    ['a', undefined],
    ['0-9999', undefined],
  ])('%s', (text, gpus) => expect(gpuList(text)).toEqual(gpus));

  const options = (raw: Record<string, unknown>) =>
    readOptions('local', { config: written('[gpu-roles]\nold = "1,7"'), ...raw });

  it('come before those of the file', () => {
    expect(options({ targetGpus: '0-3', gpuRole: ['drafter = 4,5'] }).gpuRoles).toEqual([
      { role: 'target', gpus: [0, 1, 2, 3] },
      { role: 'drafter', gpus: [4, 5] },
      { role: 'old', gpus: [7] },
    ]);
  });

  it.each([
    [{ targetGpus: 'x' }, /^--target-gpus has no list of GPUs in "x"/],
    [{ gpuRole: ['drafter'] }, /^--gpu-role is ROLE=LIST/],
    [{ gpuRole: ['drafter=9-1'] }, /^--gpu-role has no list of GPUs in "9-1"/],
    [{ gpuRole: ['a=1', 'b=1'] }, /^GPU 1 has two roles, a and b\.$/],
  ])('a wrong one is told: %j', (raw, message) => expect(() => options(raw)).toThrow(message));
});
