import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { numaScript, placesScript, readNodes, readPlaces } from '../../src/collectors/numa.ts';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'numa-'))));
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string) {
  const folder = join(root, path, '..');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Runs the part of the probe's script on a tree of files, with an nvidia-smi that gives addresses. */
function probe(): readonly string[] {
  write(
    'bin/nvidia-smi',
    '#!/bin/sh\necho "GPU-0a1b, 00000000:8A:00.0"; echo "GPU-0a1c, 00000000:18:00.0"; echo oops\n',
  );
  chmodSync(join(root, 'bin/nvidia-smi'), 0o755);
  const script = `${numaScript}\nplaced=${placesScript}`.replaceAll('/sys/', `${root}/sys/`);
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env['PATH']}` };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).trimEnd().split('\n');
}
const of = (lines: readonly string[], key: string) =>
  lines.flatMap((line) => (line.startsWith(`${key} `) ? line.slice(key.length + 1) : []));

it('finds the node and the cores of each GPU by the address that nvidia-smi gives', () => {
  write('sys/devices/system/node/node0/cpulist', '0-3\n');
  write('sys/devices/system/node/node1/cpulist', '4-7\n');
  write('sys/bus/pci/devices/0000:8a:00.0/numa_node', '1\n');
  write('sys/bus/pci/devices/0000:8a:00.0/local_cpulist', '4-7\n');
  write('sys/bus/pci/devices/0000:18:00.0/numa_node', '-1\n');
  write('sys/bus/pci/devices/0000:18:00.0/local_cpulist', '0-7\n');
  const lines = probe();
  expect(readNodes(of(lines, 'numa'))).toEqual([
    { node: 0, cores: '0-3' },
    { node: 1, cores: '4-7' },
  ]);
  expect(readPlaces(of(lines, 'gpuplace'))).toEqual({
    'GPU-0a1b': { address: '0000:8a:00.0', node: 1, cores: '4-7' },
    'GPU-0a1c': { address: '0000:18:00.0' },
  });
});

it('says nothing of a host whose /sys is hidden', () => {
  const lines = probe();
  expect(readNodes(of(lines, 'numa'))).toBeUndefined();
  expect(readPlaces(of(lines, 'gpuplace'))).toEqual({
    'GPU-0a1b': { address: '0000:8a:00.0' },
    'GPU-0a1c': { address: '0000:18:00.0' },
  });
});
