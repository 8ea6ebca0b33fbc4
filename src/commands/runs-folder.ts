import { join } from 'node:path';
import { defaultStateFolder } from '../collectors/transport/audit-log.ts';

/** Where recordings are, unless the user names another folder. */
export function defaultRunsFolder(environment: NodeJS.ProcessEnv): string {
  return join(defaultStateFolder(environment), 'runs');
}
