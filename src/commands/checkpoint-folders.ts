import { folderOf } from '../collectors/host/folders.ts';
import type { Sample } from '../model/samples.ts';

const mostFolders = 3;

/** Where the log says that checkpoints are saved: the newest folders, when they are others than before. */
export function createCheckpointFolders(): (sample: Sample) => readonly string[] | undefined {
  let folders: readonly string[] = [];
  return (sample) => {
    if (sample.kind !== 'log') return undefined;
    let isNew = false;
    for (const { event } of sample.lines) {
      const path = event?.kind === 'checkpoint' ? event.details?.['path'] : undefined;
      if (typeof path !== 'string' || !path.includes('/')) continue;
      const folder = folderOf(path);
      if (folders.includes(folder)) continue;
      folders = [...folders, folder].slice(-mostFolders);
      isNew = true;
    }
    return isNew ? folders : undefined;
  };
}
