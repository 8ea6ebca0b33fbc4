import type { Session } from './session.ts';

export async function captureInto(_session: Session, _pid: number): Promise<void> {}
