/** A user's string as one shell word. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
