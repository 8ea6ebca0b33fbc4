import type { Member } from './member-index.ts';
import type { PartReader } from './part-reader.ts';

/** A member, and the file that it is in. */
export interface Place {
  readonly part: PartReader;
  readonly member: Member;
}

/** Its lines; none where they cannot be read. */
export async function linesOf({ part, member }: Place): Promise<readonly string[]> {
  return (await part.lines(member)) ?? [];
}
