import { describe, expect, it } from 'vitest';
import { readReasons } from '../../../src/collectors/gpu/cells.ts';
import { explainGpu } from '../../../src/collectors/gpu/explain.ts';
import { chooseColumns, splitColumns } from '../../../src/collectors/gpu/fields.ts';
import { listedFields } from './read.ts';

describe('the columns of the query', () => {
  const names = (listed: readonly string[]) => chooseColumns(listed).map((column) => column.name);

  it('take the newest name of a driver of 2026, and only listed ones', () => {
    expect(names(listedFields)).toEqual(
      expect.arrayContaining([
        'clocks_event_reasons.active',
        'enforced.power.limit',
        'power.draw',
        'gpu_recovery_action',
      ]),
    );
    expect(names(listedFields).filter((name) => !listedFields.includes(name))).toEqual([]);
    expect(names(listedFields).at(-1)).toBe('name');
  });

  it('take the older names of an older driver, and leave out what it lacks', () => {
    const old = ['timestamp', 'index', 'uuid', 'name', 'clocks.sm', 'clocks_throttle_reasons.active', 'power.limit'];
    expect(names(old)).toEqual([
      'timestamp',
      'index',
      'uuid',
      'power.limit',
      'clocks.sm',
      'clocks_throttle_reasons.active',
      'name',
    ]);
  });

  it('are those of every driver where the list could not be read', () => {
    expect(names([])).toContain('utilization.gpu');
    expect(names([])).not.toContain('gpu_recovery_action');
  });
});

describe('the event reasons', () => {
  it.each([
    ['0x0000000000000000', []],
    ['0x0000000000000001', []],
    ['0x0000000000000004', ['power cap']],
    ['0x00000000000000E9', ['hw slowdown', 'sw thermal', 'hw thermal', 'power brake']],
    ['0x8000000000000112', ['app clocks', 'sync boost', 'display clock', 'reason 63']],
    ['[N/A]', null],
    ['Not Active', null],
    ['', null],
  ])('%s', (cell, names) => expect(readReasons(cell)).toEqual(names));
});

describe('an error of the whole command', () => {
  it.each([
    ['Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 590.44', /590\.44.*reboot/],
    ['Failed to initialize NVML: Unknown Error', /container.*restart/],
    ['Failed to initialize NVML: Insufficient Permissions', /may not open/],
    ["NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure", /not loaded/],
    ['No devices were found', /finds no GPU/],
    ['lost 0 Unable to determine the device handle for GPU0000:09:00.0: Unknown Error', /^GPU 0000:09:00\.0 is lost/],
    ['Unable to determine the device handle for GPU 0000:02:00.0: GPU is lost.  Reboot', /^GPU 0000:02:00\.0 is lost/],
    ['Field "no.such.field" is not a valid field to query.', /refuses a field/],
    ['sh: 1: nvidia-smi: not found', /no longer be run/],
  ])('%s', (said, sentence) => expect(explainGpu(said)).toMatchObject({ reason: sentence, final: false }));

  it('that nobody knows is left to the runner', () => expect(explainGpu('odd')).toBeUndefined());

  it('are asked seldom where they hardly change and cost a driver much', () => {
    const { fast, slow } = splitColumns(chooseColumns(listedFields));
    expect(slow.map(({ name }) => name)).toEqual([
      'index',
      'clocks.max.sm',
      'fan.speed',
      'pcie.link.width.current',
      'mig.mode.current',
      'persistence_mode',
    ]);
    expect(fast.map(({ id }) => id)).toEqual(expect.arrayContaining(['index', 'uuid', 'utilizationPercent', 'name']));
    expect(fast.length + slow.length).toBe(chooseColumns(listedFields).length + 1);
    expect(splitColumns(chooseColumns(['index', 'uuid', 'name'])).slow).toEqual([]);
  });
});
