import { nativeTable } from './native-table.ts';
import { standardTable } from './standard-table.ts';
import type { ClassRow } from './rows.ts';
import { waitTable } from './wait-table.ts';
import { workTable } from './work-table.ts';

/**
 * The class table. None of its rows names a function of the user's: a row without a file is a symbol of machine code, which Python
 * frames are not asked for, and a file is of a known library.
 */
export const classTable: { readonly native: readonly ClassRow[]; readonly python: readonly ClassRow[] } = {
  native: nativeTable,
  // The more special first: of rows for one frame the first counts.
  python: [...waitTable, ...workTable, ...standardTable],
};
