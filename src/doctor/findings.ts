import type { CollectorOptions } from '../collectors/collector.ts';
import type { AuditState } from '../collectors/transport/audit-log.ts';
import type { LinkLogin } from '../collectors/transport/transport.ts';
import type { State } from '../model/store.ts';
import type { Look } from './look.ts';

/** Everything that doctor learned of a host. The judgement (judge.ts) knows nothing else. */
export interface Findings {
  /** As the transport names it: `local`, `root@gpu7`. */
  readonly target: string;
  readonly kind: 'local' | 'ssh' | 'demo';
  readonly wrap?: string;
  readonly options: CollectorOptions;
  readonly connection: Connection;
  /** Absent when no connection came about. */
  readonly state?: State;
  /** Why no script runs there. */
  readonly shellFault?: string;
  /** Absent when doctor's own script did not run. */
  readonly look?: Look;
  readonly lookFault?: string;
  /** What the GPU panel would show and the driver does not list. */
  readonly missingGpuFields: readonly string[];
  /** `most`: that were open at once. */
  readonly channels: { readonly most: number; readonly refused: readonly string[] };
  /** Absent for the demo. */
  readonly audit?: AuditState & { readonly path: string };
}

/** How the connection came about, or why not. */
export interface Connection {
  readonly seconds?: number;
  readonly fault?: string;
  readonly login?: LinkLogin;
}
