import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createNetworks, here } from './netns.ts';
import { describeWith } from './requires.ts';

describeWith(['root', 'ip', 'iptables', 'bash'], 'network namespaces', () => {
  test('neighbours reach each other, others do not; silence is silence; nothing is left', async () => {
    const devices = () => {
      const all = execFileSync('ip', ['-br', 'link'], { encoding: 'utf8' }).split('\n');
      return all.filter((line) => line.startsWith(`tt${process.pid % 0x10000}`));
    };
    const net = createNetworks([
      [here, 'hop'],
      ['hop', 'target'],
    ]);
    /** Nobody listens: who is reached refuses. */
    const knock = (from: string, address: string, seconds = 10) => {
      try {
        net.run(from, 'timeout', String(seconds), 'bash', '-c', 'exec 3<>/dev/tcp/"$0"/9', address);
      } catch (error) {
        const { status, stderr } = error as { status: number; stderr: string };
        return status === 124 ? 'silent' : /refused|unreachable/.exec(stderr)?.[0];
      }
      return 'open';
    };
    try {
      expect(devices().length).toBe(1);
      expect(knock(here, net.address('hop', here))).toBe('refused');
      expect(knock(here, net.address6('hop', here))).toBe('refused');
      expect(knock('target', net.address6('hop', 'target'))).toBe('refused');
      expect(knock('target', net.address('hop', here))).toBe('unreachable');
      net.silence('hop');
      expect(knock('target', net.address('hop', 'target'), 0.5)).toBe('silent');
      expect(knock('target', net.address6('hop', 'target'), 0.5)).toBe('silent');
      net.restore('hop');
      expect(knock('target', net.address('hop', 'target'))).toBe('refused');
    } finally {
      await net.remove();
    }
    expect(devices()).toEqual([]);
    expect(execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })).not.toContain(`traintop-${process.pid}-`);
  });
});
