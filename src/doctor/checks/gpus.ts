import type { GpusSample } from '../../model/samples.ts';
import { checksOf, type Check, type Told } from '../check.ts';
import type { Findings } from '../findings.ts';
import { tellSource } from './source.ts';

const check = checksOf('GPUs');

/**
 * nvidia-smi, the driver and its fields, MIG, persistence mode. GPUs are needed where there are any: a host without one can be
 * watched as well, a host whose GPUs cannot be read is not what anybody wants to watch.
 */
export function gpuChecks(findings: Findings): readonly Check[] {
  const { state, look } = findings;
  const nvidia = state?.facts?.nvidia;
  if (!nvidia) return [check('gpu', 'driver', tellNone(findings))];
  const denied = look?.gpu.denied ?? [];
  const count = `${nvidia.gpuCount} GPU${nvidia.gpuCount === 1 ? '' : 's'}`;
  const live = tellSource(findings, 'gpu', `${count} every ${Math.max(500, findings.options.intervalMs) / 1000} s`);
  const gpus = state?.gpus;
  return [
    check('gpu', 'driver', {
      status: 'ok',
      found: `NVIDIA ${nvidia.driverVersion ?? 'of unknown version'}, ${count}`,
      needed: true,
    }),
    check('gpu.values', 'values', { ...live, needed: live.status === 'failed' }),
    check('gpu.fields', 'fields', tellFields(findings)),
    ...(gpus
      ? [
          ...faults(gpus),
          check('gpu.mig', 'MIG', tellMig(gpus)),
          check('gpu.persistence', 'persistence', tellPersistence(gpus)),
        ]
      : []),
    ...(denied.length > 0
      ? [
          check('gpu.devices', 'devices', {
            status: 'note',
            found: `${denied.length} may not be opened by this user`,
            why: 'nvidia-smi answers for them all the same; a run of this user could not use them',
          }),
        ]
      : []),
  ];
}

function tellNone({ state, look }: Findings): Told & { readonly needed: boolean } {
  const reason = state?.facts?.nvidiaMissing ?? 'nvidia-smi was not tried';
  const signs = [
    ...(look?.gpu.driver === undefined ? [] : ['the driver is loaded']),
    ...(look && look.gpu.devices.length + look.gpu.denied.length > 0
      ? [`there is ${[...look.gpu.devices, ...look.gpu.denied][0]}`]
      : []),
  ];
  const isThere = !/is not on the PATH/.test(reason);
  if (isThere) return { status: 'failed', found: 'nvidia-smi does not work', why: reason, needed: true };
  if (signs.length > 0)
    return {
      status: 'missing',
      found: `no nvidia-smi, though ${signs.join(' and ')}`,
      why: 'GPUs are read with it',
      mend: 'put nvidia-smi on the PATH there (in a container: NVIDIA_DRIVER_CAPABILITIES=utility,compute), or watch from its host',
      needed: true,
    };
  const pci = look?.gpu.pci ?? 0;
  if (pci > 0)
    return {
      status: 'note',
      found: `no driver, though ${pci} NVIDIA card${pci === 1 ? ' is' : 's are'} there`,
      why: reason,
      mend: 'install the NVIDIA driver if a run is to use them',
      needed: false,
    };
  return { status: 'note', found: 'no GPU', why: reason, needed: false };
}

function tellFields({ missingGpuFields: missing }: Findings): Told {
  if (missing.length === 0) return { status: 'ok', found: 'all that are asked for' };
  return {
    status: 'note',
    found: `without ${missing.join(', ')}`,
    why: 'this driver does not list them: what they would tell is not shown',
    mend: 'a newer driver may have them',
  };
}

function faults({ faults: column, index }: GpusSample): readonly Check[] {
  const all = (column ?? []).flatMap((fault, row) => (fault === null ? [] : [`GPU ${index[row]}: ${fault}`]));
  if (all.length === 0) return [];
  return [
    check('gpu.faults', 'faults', {
      status: 'failed',
      found: all.join('; '),
      why: 'nvidia-smi gives this in place of values',
      mend: 'see Xid lines in dmesg there',
    }),
  ];
}

const untold: Told = { status: 'unknown', found: 'the driver does not tell' };

function tellMig({ mig, index }: GpusSample): Told {
  if (!mig) return untold;
  const on = rowsWith(mig, index, /^enabled/i);
  if (on.length === 0) return { status: 'ok', found: 'off' };
  return {
    status: 'note',
    found: `on (${on.join(', ')})`,
    why: 'nvidia-smi gives no utilization of a GPU that is cut in instances: memory, power and clocks are shown',
    mend: 'DCGM has figures of each instance',
  };
}

function tellPersistence({ persistence, index }: GpusSample): Told {
  const off = rowsWith(persistence, index, /^disabled/i);
  if (off.length > 0)
    return {
      status: 'warn',
      found: `off (${off.join(', ')})`,
      why: 'a GPU that nobody uses is woken by nvidia-smi, which takes seconds and some 75 W; traintop keeps one running, so it stays awake',
      mend: '`nvidia-smi -pm 1` as root there, or start nvidia-persistenced',
    };
  const known = persistence?.some((value) => /^enabled/i.test(value ?? '')) ?? false;
  return known ? { status: 'ok', found: 'on' } : untold;
}

function rowsWith(column: GpusSample['mig'], index: readonly number[], pattern: RegExp): readonly string[] {
  return (column ?? []).flatMap((value, row) => (pattern.test(value ?? '') ? [`GPU ${index[row]}`] : []));
}
