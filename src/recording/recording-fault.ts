/** A recording that cannot be opened: one sentence for the user. */
export class RecordingFault extends Error {
  override name = 'RecordingFault';
}
