/** One file as the host described it. */
export interface FileFacts {
  readonly inode: string;
  readonly size: number;
  /** Host's seconds. */
  readonly changed?: number;
  /** How a command names it: `@` what stands at the log's path, `=` what the script has open, else a path. */
  readonly ref: string;
}

/** What stands at the log's path and beside it. */
export interface Listing {
  readonly path?: FileFacts;
  readonly open?: FileFacts;
  /** The files whose names begin as the log's. */
  readonly files: readonly FileFacts[];
  /** The one with the inode that was asked for, whatever its name: the log elsewhere, or any file that was given the inode anew. */
  readonly found?: FileFacts;
  /** There are too many of them to know all. */
  readonly more: boolean;
  /** The bytes that were asked for, of the file with this inode. */
  readonly text?: { readonly inode: string; readonly hex: string };
  /** The host's clock in seconds. */
  readonly now: number;
}

/** Collects a listing word by word; `add` gives it when it is whole. */
export function createListing() {
  let path: FileFacts | undefined;
  let open: FileFacts | undefined;
  let found: FileFacts | undefined;
  let text: Listing['text'];
  let more = false;
  const files = new Map<string, FileFacts>();
  return {
    add(word: string, rest: string): Listing | undefined {
      if (word === 'path') path = read(rest, '@');
      else if (word === 'open') open = read(rest, '=');
      else if (word === 'found') found = read(rest);
      else if (word === 'more') more = true;
      else if (word === 'file') {
        const file = read(rest);
        if (file) files.set(file.ref, file);
      } else if (word === 'text') {
        const [inode = '', ...hex] = rest.trim().split(/\s+/);
        text = { inode, hex: hex.join('') };
      } else if (word === 'looked')
        return {
          ...(path && { path }),
          ...(open && { open }),
          ...(found && { found }),
          ...(text && { text }),
          files: [...files.values()],
          more,
          now: Number(rest),
        };
      return undefined;
    },
  };
}

/** INODE SIZE [SECONDS] [PATH]; a path that is no UTF-8 cannot be given back to the host. */
function read(rest: string, ref?: string): FileFacts | undefined {
  const [, inode = '', size, changed, path = ''] = /^(\d+) (\d+) ?(\d*) ?([^]*)$/.exec(rest) ?? [];
  const name = ref ?? path;
  if (inode === '' || name === '' || name.includes('\ufffd')) return undefined;
  return { inode, size: Number(size), ...(changed !== '' && { changed: Number(changed) }), ref: name };
}
