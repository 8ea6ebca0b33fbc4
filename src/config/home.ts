import { homedir, userInfo } from 'node:os';

/** Stands for the home of who has none (Debian's word for it): a container under a bare UID. Nothing can be read or made there. */
export const noHome = '/nonexistent';

/** The user's home: HOME, else as passwd has it. An empty HOME would make every path in it one of the working folder. */
export function homeFolder(): string {
  for (const look of [homedir, () => userInfo().homedir]) {
    try {
      const path = look();
      if (path.startsWith('/')) return path;
    } catch {
      // No entry in passwd.
    }
  }
  return noHome;
}
