import { open } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';

/** A program of this machine that can be copied to a host. */
export interface Program {
  readonly bytes: Buffer;
  /** Its ELF machine, as `uname -m` names it, or a number that is not known here. */
  readonly machine: string;
  /** `uname -m` of the hosts that run it. */
  readonly runsOn: RegExp;
  /** What is copied, as part of a sentence: the file, or what lies in the wheel. */
  readonly name: string;
}

/** py-spy 0.4.2 has 8 MB. */
const mostBytes = 128 * 1024 * 1024;

const machines: Readonly<Record<number, readonly [name: string, runsOn: RegExp]>> = {
  3: ['i686', /^(?:i[3-6]86|x86_64)$/],
  21: ['ppc64', /^ppc64(?:le)?$/],
  22: ['s390x', /^s390x$/],
  40: ['armv7l', /^arm/],
  62: ['x86_64', /^x86_64$/],
  183: ['aarch64', /^(?:aarch64|arm64)$/],
  243: ['riscv64', /^riscv64$/],
};

/** Reads the program, or takes it out of a wheel. undefined: there is no such file; `failure` is a sentence. */
export async function readProgram(path: string): Promise<Program | { readonly failure: string } | undefined> {
  let bytes: Buffer | undefined;
  try {
    bytes = await readBounded(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { failure: `${path} on this machine could not be read: ${message}` };
  }
  if (!bytes)
    return { failure: `${path} on this machine is no file that could be py-spy (a folder, empty, or over 128 MB)` };
  if (bytes.readUInt32BE(0) === 0x504b0304) {
    const inner = findInWheel(bytes);
    if (!inner)
      return {
        failure: `${path} is an archive without py-spy in it: take the wheel of py-spy for Linux (${getWheel})`,
      };
    return programOf(inner, { path, name: `py-spy out of ${path}` });
  }
  return programOf(bytes, { path, name: path });
}

const getWheel = '`pip download --no-deps --only-binary=:all: --platform manylinux2014_x86_64 py-spy`';

async function readBounded(path: string): Promise<Buffer | undefined> {
  const file = await open(path, 'r');
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.size < 64 || stat.size > mostBytes) return undefined;
    const bytes = await file.readFile();
    return bytes.length < 64 ? undefined : bytes;
  } finally {
    await file.close();
  }
}

function programOf(bytes: Buffer, { path, name }: { readonly path: string; readonly name: string }) {
  const magic = bytes.readUInt32BE(0);
  if (magic !== 0x7f454c46) {
    const isMac = [0xcffaedfe, 0xcefaedfe, 0xcafebabe].includes(magic);
    const isWindows = bytes.toString('latin1', 0, 2) === 'MZ';
    const what = isMac ? 'a program of macOS' : isWindows ? 'a program of Windows' : 'no program of Linux (ELF)';
    return { failure: `${path} is ${what}: take py-spy for Linux, or its wheel (${getWheel})` };
  }
  const number = bytes[5] === 2 ? bytes.readUInt16BE(18) : bytes.readUInt16LE(18);
  const [machine, runsOn] = machines[number] ?? [`ELF machine ${number}`, /^/];
  return { bytes, machine, runsOn, name };
}

/** The file that pip would put into bin (PEP 427: NAME-VERSION.data/scripts). */
function findInWheel(zip: Buffer): Buffer | undefined {
  try {
    // The directory's end: 22 bytes and a comment.
    const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    if (end < 0) return undefined;
    let at = zip.readUInt32LE(end + 16);
    for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
      if (zip.readUInt32BE(at) !== 0x504b0102) return undefined;
      const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
        number,
        number,
        number,
      ];
      const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
      if (/^[^/]+\.data\/scripts\/py-spy$/.test(name)) return unpack(zip, at);
      at += 46 + nameLength + extra + comment;
    }
  } catch {
    // A number points beyond the file, or what lies there does not unpack.
  }
  return undefined;
}

function unpack(zip: Buffer, entry: number): Buffer | undefined {
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(from, from + size);
  const bytes =
    method === 0 ? packed : method === 8 ? inflateRawSync(packed, { maxOutputLength: mostBytes }) : undefined;
  return bytes && bytes.length >= 64 && crc32(bytes) === zip.readUInt32LE(entry + 16) ? bytes : undefined;
}
