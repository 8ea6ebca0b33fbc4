import { chooseWatch } from '../attach/choose-watch.ts';
import { connectHere, watchesHere } from '../attach/watch-list.ts';
import { systemClock } from '../clock.ts';
import { asFault } from './attach-way.ts';

/** Joins standard input and output to a watch of this machine, for who attaches from another one. Resolves with the exit code when either ends. */
export async function attachStdio(name: string | undefined): Promise<number> {
  try {
    const watches = await watchesHere(process.env, systemClock.now());
    const wish = { where: 'this machine', ...(name !== undefined && { name }) };
    const socket = await connectHere(chooseWatch(watches, wish));
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
      process.stdin.once('error', () => socket.destroy());
      process.stdout.once('error', () => socket.destroy());
      socket.on('error', () => {}); // `close` tells
      socket.pipe(process.stdout);
      process.stdin.pipe(socket);
    });
    process.stdin.destroy();
    return 0;
  } catch (error) {
    throw asFault(error);
  }
}
