import { captureStacks } from '../collectors/stacks/dump.ts';
import { defaultDataFolder } from '../collectors/stacks/save.ts';
import type { Session } from './session.ts';

/** Takes a py-spy dump of one process into the store and onto disk. Never rejects: a failure is in the Sample. */
export async function captureInto({ runner, take, clock }: Session, pid: number): Promise<void> {
  const context = runner.context();
  if (!context) return;
  const dataDir = defaultDataFolder(process.env);
  take(await captureStacks({ job: runner.job, context, pid, dataDir, clock, save: true }));
}
