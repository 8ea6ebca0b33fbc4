import type { HostProcess } from '../../model/process-kinds.ts';

/**
 * Rank, world size and master of an environment, as torchrun, Slurm (srun) and Open MPI (mpirun) set them. A variable that
 * holds no number is none. An environment shows what the process was started with: ranks of mp.spawn set theirs later.
 */
export function readEnvironment(
  variables: ReadonlyMap<string, string> | undefined,
): Pick<HostProcess, 'rank' | 'localRank' | 'worldSize' | 'master'> {
  const number = (...names: readonly string[]) => {
    const text = names
      .map((name) => variables?.get(name))
      .find((value) => value !== undefined && /^\d{1,9}$/.test(value));
    return text === undefined ? undefined : Number(text);
  };
  const rank = number('RANK', 'SLURM_PROCID', 'OMPI_COMM_WORLD_RANK');
  const localRank = number('LOCAL_RANK', 'SLURM_LOCALID', 'OMPI_COMM_WORLD_LOCAL_RANK');
  const worldSize = number('WORLD_SIZE', 'SLURM_NTASKS', 'OMPI_COMM_WORLD_SIZE');
  const address = variables?.get('MASTER_ADDR');
  return { rank, localRank, worldSize, master: address && `${address}:${variables?.get('MASTER_PORT') ?? ''}` };
}
