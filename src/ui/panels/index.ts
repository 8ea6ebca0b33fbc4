import { gpusPanel } from './gpus.tsx';
import { hostPanel } from './host.tsx';
import { logPanel } from './log.tsx';
import type { Panel } from './panel.ts';
import { queuesPanel } from './queues.tsx';
import { threadsPanel } from './threads.tsx';
import { throughputPanel } from './throughput.tsx';

/** Every panel there is, in the order of Tab and the digits. A new panel is one file and one line here. */
export const panels: readonly Panel[] = [gpusPanel, throughputPanel, queuesPanel, threadsPanel, logPanel, hostPanel];
