import { expect, test } from 'vitest';
import { terminalCommand, withTerminal } from '../../../src/collectors/transport/terminal-command.ts';

test.each([
  ['docker exec -i box', 'docker exec -t -i box'],
  ['docker exec -it box', 'docker exec -it box'],
  ['docker exec -t -i box', 'docker exec -t -i box'],
  ['docker exec --interactive --tty box', 'docker exec --interactive --tty box'],
  ['docker exec --interactive box', 'docker exec -t --interactive box'],
  ['sudo -n docker exec -i -u root -w /srv box', 'sudo -n docker exec -t -i -u root -w /srv box'],
  ['docker -H tcp://a:1 exec -i box', 'docker -H tcp://a:1 exec -t -i box'],
  ['docker container exec -i box', 'docker container exec -t -i box'],
  ['docker run -i --rm image', 'docker run -t -i --rm image'],
  ['docker compose exec -T box', 'docker compose exec  box'],
  ['docker exec -i run', 'docker exec -t -i run'],
  ['docker exec -i docker', 'docker exec -t -i docker'],
  ['docker exec -i ssh', 'docker exec -t -i ssh'],
  ['/usr/bin/podman exec -i box', '/usr/bin/podman exec -t -i box'],
  ['A=b podman exec -i box', 'A=b podman exec -t -i box'],
  ['kubectl -n train exec -i pod-0 -c main --', 'kubectl -n train exec -t -i pod-0 -c main --'],
  ['kubectl exec pod-0 -c main -it --', 'kubectl exec pod-0 -c main -it --'],
  ['kubectl exec -i ssh -c C --', 'kubectl exec -t -i ssh -c C --'],
  ['srun --overlap --jobid 12', 'srun --pty --overlap --jobid 12'],
  ['srun --overlap --jobid 12 --pty', 'srun --overlap --jobid 12 --pty'],
  ['srun --overlap --jobid=12 docker exec -i box', 'srun --pty --overlap --jobid=12 docker exec -t -i box'],
  ['ssh node7', 'ssh -t node7'],
  ['ssh -T -p 2222 -i key node7 pct exec 200 --', 'ssh -t -t -p 2222 -i key node7 pct exec 200 --'],
  ["ssh root@host 'docker exec -i box'", "ssh -t root@host 'docker exec -t -i box'"],
  ['docker exec -i box ssh -t node7', 'docker exec -t -i box ssh -t -t node7'],
  ['pct exec 200 --', 'pct exec 200 --'],
  ['lxc exec box --', 'lxc exec box --'],
  ['incus exec -T box --', 'incus exec -t box --'],
  ['sudo -n nsenter -t 17 -a', 'sudo -n nsenter -t 17 -a'],
  ['setpriv --reuid 1000 --clear-groups', 'setpriv --reuid 1000 --clear-groups'],
  [`env 'A=b c' "x" '' sh-wrap`, `env 'A=b c' "x" '' sh-wrap`],
])('%s for a terminal is %s', (wrap, wanted) => {
  expect(withTerminal(wrap)).toBe(wanted);
});

test('the command is plain words behind the wrapper', () => {
  const env = { TERM: 'xterm-256color' };
  expect(terminalCommand({ wrap: 'pct exec 200 --', shell: '/bin/bash', env })).toBe(
    'pct exec 200 -- env TERM=xterm-256color /bin/bash -l',
  );
  expect(terminalCommand({ wrap: 'pct exec 200 --', shell: undefined, env })).toMatch(/ sh$/);
  expect(terminalCommand({ wrap: 'pct exec 200 --', shell: '/bin/my shell', env })).toMatch(/ sh$/);
  expect(terminalCommand({ wrap: 'w', shell: undefined, env: { TERM: 'a; rm b' } })).toBe(
    'w env TERM=xterm-256color sh',
  );
  expect(terminalCommand({ wrap: 'docker exec -i box', shell: undefined, env, check: true })).toBe(
    'docker exec -t -i box env LC_ALL=C tty',
  );
});
