import type { Clock } from '../../clock.ts';
import type { Channel, Exit, TerminalChannel, TerminalOptions, Transport } from './transport.ts';

/** Hears of every channel that a transport opens. */
export interface ChannelListener {
  opened(channel: OpenedChannel): void;
  /** The shell began anew and was sent its script once more (envelope.ts). */
  again?(channel: OpenedChannel, script: string): void;
  ended(channel: OpenedChannel, exit: Exit, seconds: number): void;
  /** The host opened none. */
  refused(reason: string): void;
}

/** A channel and what was sent to be run on it. */
export interface OpenedChannel {
  /** The first line of the script names its source; `shell` is the user's, on a terminal, `tty` the question for one. */
  readonly name: string;
  /** The script whole, with NONCE where each channel has a random word of its own. A shell has none: what is typed is nobody's business. */
  readonly script?: string;
  /** The Unix socket that was connected to, whose name is `socket`: what is said there is no script. */
  readonly path?: string;
  readonly at: number;
}

/** The same transport, with someone who listens to what is run on it. Lines that scripts are sent later (PIDs, ticks) are not told. */
export function watchChannels(transport: Transport, clock: Clock, listener: ChannelListener): Transport {
  const told = async <T>(opening: Promise<T>): Promise<T> => {
    try {
      return await opening;
    } catch (error) {
      listener.refused(error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
  const { openTerminal, openSocket } = transport;
  return replaced(transport, {
    open: async () => watchChannel(await told(transport.open()), clock, listener),
    ...(openTerminal && {
      openTerminal: async (options: TerminalOptions) =>
        watchTerminal(await told(openTerminal.call(transport, options)), { clock, listener, options }),
    }),
    ...(openSocket && {
      openSocket: async (path: string) => {
        const socket = await told(openSocket.call(transport, path));
        const opened = { name: 'socket', path, at: clock.now() };
        listener.opened(opened);
        let isOver = false;
        const end = () => {
          if (!isOver) listener.ended(opened, { code: null, lost: false }, (clock.now() - opened.at) / 1000);
          isOver = true;
        };
        // ssh2's channel to a host that is gone never closes, but ends.
        socket.once('end', end);
        socket.once('close', end);
        return socket;
      },
    }),
  });
}

/** The first write is the script (stream.ts), in one piece. */
function watchChannel(channel: Channel, clock: Clock, listener: ChannelListener): Channel {
  let opened: OpenedChannel | undefined;
  void channel.exit.then((exit) => {
    if (opened) listener.ended(opened, exit, (clock.now() - opened.at) / 1000);
  });
  return replaced(channel, {
    write(text) {
      channel.write(text);
      if (opened) {
        if (text.startsWith('# traintop:')) listener.again?.(opened, readScript(text).script);
        return;
      }
      opened = { ...readScript(text), at: clock.now() };
      listener.opened(opened);
    },
  });
}

function watchTerminal(
  terminal: TerminalChannel,
  { clock, listener, options }: { clock: Clock; listener: ChannelListener; options: TerminalOptions },
): TerminalChannel {
  const opened = { name: options.check ? 'tty' : 'shell', at: clock.now() };
  listener.opened(opened);
  void terminal.exit.then((exit) => listener.ended(opened, exit, (clock.now() - opened.at) / 1000));
  return terminal;
}

/** A copy with other methods in which getters stay getters: a transport may tell by them how it is just now. */
function replaced<T extends object>(original: T, methods: Partial<T>): T {
  const all = { ...Object.getOwnPropertyDescriptors(original), ...Object.getOwnPropertyDescriptors(methods) };
  return Object.defineProperties({}, all) as T;
}

function readScript(text: string): Required<Pick<OpenedChannel, 'name' | 'script'>> {
  const nonce = /@traintop ([0-9a-f]+) /.exec(text)?.[1];
  return {
    name: /^# traintop:(\S+)/.exec(text)?.[1] ?? 'unnamed',
    script: nonce === undefined ? text : text.replaceAll(nonce, 'NONCE'),
  };
}
