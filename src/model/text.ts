/**
 * Text from a host made safe for a terminal: escape sequences go whole (CSI, OSC with its text, other ESC pairs), tabs become
 * a space, every other C0, DEL and C1 character becomes U+FFFD, and so do the characters that reorder text
 * (U+202A-202E, U+2066-2069). All host text passes here before it is in a Sample.
 */
export function safeText(text: string): string {
  if (!/[^\x20-\x7e\u00a0-\u2029\u2030-\u2065\u2070-\uffff]/.test(text)) return text;
  return text
    .replace(/\x1b\[[0-?]*[ -/]*[@-~]?/g, '')
    .replace(/\x1b[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)?/g, '')
    .replace(/\x1b[ -/]*[0-~]?/g, '')
    .replace(/\t/g, ' ')
    .replace(/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** The last line that a program of the host said, safe and short enough for a sentence; '' when it said nothing. */
export function lastWords(text: string): string {
  return safeText((text.trim().split(/\r?\n/).at(-1) ?? '').trim()).slice(0, 200);
}
