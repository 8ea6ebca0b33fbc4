import { crc32, deflateRawSync, gunzipSync } from 'node:zlib';

/**
 * A recording is a chain of gzip members (RFC 1952), each some seconds of lines. The extra field of each member's header (2.3.1.1),
 * subfield `tt`, says how long the member is and what is in it, so that a reader hops from one to the next without opening any.
 */
export interface MemberHead {
  /** Bytes of the member, its header and trailer included. */
  readonly length: number;
  /** receivedAt of its first and last line, epoch ms. */
  readonly from: number;
  readonly to: number;
  /** It begins with a keyframe. */
  readonly keyframe: boolean;
  /** An event or a mark is inside. */
  readonly event: boolean;
}

/** Of the gzip header with our extra field. */
export const headLength = 12 + 4 + 21;
const fieldLength = 21;

/** The lines (each with its end) as one member. */
export function packMember(text: string, { from, to, keyframe, event }: Omit<MemberHead, 'length'>): Buffer {
  const body = Buffer.from(text);
  const packed = deflateRawSync(body);
  const length = headLength + packed.length + 8;
  const head = Buffer.alloc(headLength);
  head.set([0x1f, 0x8b, 8, 4], 0); // magic, deflate, FEXTRA
  head[9] = 255; // no certain system
  head.writeUInt16LE(4 + fieldLength, 10);
  head.write('tt', 12, 'latin1');
  head.writeUInt16LE(fieldLength, 14);
  head.writeUInt32LE(length, 16);
  head.writeDoubleLE(from, 20);
  head.writeDoubleLE(to, 28);
  head[36] = (keyframe ? 1 : 0) | (event ? 2 : 0);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(body), 0);
  tail.writeUInt32LE(body.length >>> 0, 4);
  return Buffer.concat([head, packed, tail]);
}

/** Reads a member's header; undefined when these bytes are none of ours. */
export function readHead(bytes: Buffer): MemberHead | undefined {
  if (bytes.length < headLength || bytes.readUInt32BE(0) !== 0x1f8b0804 || bytes.toString('latin1', 12, 14) !== 'tt')
    return undefined;
  const flags = bytes[36] ?? 0;
  return {
    length: bytes.readUInt32LE(16),
    from: bytes.readDoubleLE(20),
    to: bytes.readDoubleLE(28),
    keyframe: (flags & 1) !== 0,
    event: (flags & 2) !== 0,
  };
}

/** The text of a member. Throws zlib's error. */
export function unpackMember(bytes: Buffer): string {
  return gunzipSync(bytes).toString();
}
