import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from './remove-folder.ts';

/** A program in the place of py-spy, for what the real one does only on a bad day. */
export interface FakeSpy {
  readonly path: string;
  readonly folder: string;
  remove(): void;
}

/** Makes one. `body` is POSIX sh: `$*` are its arguments, `$count` says how often it was called with these, `$here` is its folder. */
export function makeFakeSpy(body: string): FakeSpy {
  return make(`#!/bin/sh
here=\${0%/*}
[ "$1" != --version ] || { echo py-spy 0.4.2; exit; }
echo "$*" >>"$here/calls"; count=$(grep -cxF -- "$*" "$here/calls")
fail() { echo "$1" >&2; exit 1; }
${body}`);
}

/** Makes one that ends well by SIGINT, which a shell in the background cannot. `body` is Python; `option(NAME)` is what follows an argument, `end()` ends it. */
export function makeFakeRecorder(body: string): FakeSpy {
  return make(`#!/usr/bin/env python3
import os, signal, sys, time
here = os.path.dirname(os.path.abspath(__file__))
if '--version' in sys.argv:
    print('py-spy 0.4.2')
    sys.exit(0)
with open(os.path.join(here, 'calls'), 'a') as file:
    file.write(' '.join(sys.argv[1:]) + '\\n')
def end():
    # The guard goes on with SIGINT until it is gone, and Python hears it to its end by what it finds then.
    sys.stdout.flush()
    os._exit(0)
def option(name):
    return sys.argv[sys.argv.index(name) + 1]
${body}`);
}

/** The stack of one thread as py-spy 0.4.2 prints it. */
export const oneThread = JSON.stringify([
  {
    thread_name: 'MainThread',
    os_thread_id: 7,
    active: true,
    owns_gil: false,
    frames: [{ name: 'step', filename: '/w/train.py', line: 3, module: null }],
  },
]);

function make(text: string): FakeSpy {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-fake-spy-'));
  const path = join(folder, 'py-spy');
  writeFileSync(path, `${text}\n`, { mode: 0o755 });
  return { path, folder, remove: () => removeFolder(folder) };
}
