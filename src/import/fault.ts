/** Something of an import that cannot be done: one sentence for the user. */
export class ImportFault extends Error {
  override name = 'ImportFault';
}
