import { expect, it } from 'vitest';
import { logNames } from '../../src/model/log-names.ts';

const names = (...paths: readonly string[]) => [...logNames(paths).values()];

it('names files by their last part, where that tells them apart', () => {
  expect(names('/a/train.log')).toEqual(['train.log']);
  expect(names('/a/train.log', '/a/train.err', '/b/c/rank1.log')).toEqual(['train.log', 'train.err', 'rank1.log']);
  expect(names('/a/train.log', '/a/train.log')).toEqual(['train.log']);
  expect(names('C:train.log', 'train.log')).toEqual(['C:train.log', 'train.log']);
});

it('adds the folders in which files of one name differ, and no others', () => {
  const of = (rank: number, name: string) => `/runs/none_x7/attempt_0/${rank}/${name}`;
  expect(
    names(of(0, 'stdout.log'), of(0, 'stderr.log'), of(1, 'stdout.log'), of(1, 'stderr.log'), '/x/own.log'),
  ).toEqual(['0/stdout.log', '1/stdout.log', '0/stderr.log', '1/stderr.log', 'own.log']);
  expect(names('/w/run-a/files/output.log', '/w/run-b/files/output.log')).toEqual([
    'run-a/…/output.log',
    'run-b/…/output.log',
  ]);
  expect(names('/a/x/1/log', '/a/y/1/log', '/a/y/2/log')).toEqual(['x/1/log', 'y/1/log', 'y/2/log']);
  expect(names('/log', '/a/log')).toEqual(['/log', 'a/log']);
});
