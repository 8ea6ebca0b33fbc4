/** What announces, asks, forbids or explains, and does not tell of a thing done. */
const talk =
  /\b(?:will|would|should|shall|can|could|may|might|must|if|when|whenever|unless|until|every|each|before|about to|going to|to be|not|no|never|without|nothing|none|cannot|can't|couldn't|don't|doesn't|didn't|won't|unable|failed|fails?|failure|failing|skip(?:ped|ping|s)?|dis-?abled?|enabled?|interval|frequency|period|policy|option|config(?:uration)?|setting|default|help|usage|todo|please|use|expected|instead)\b|(?:^|\s)--?[a-z]|\?\s*$/i;

/** The sentence around a place of a text. */
export function clauseAt(text: string, index: number): string {
  const ends = /[.!?;](?=\s+[A-Z\d'"`[(]|\s*$)/g;
  let begin = 0;
  for (let end = ends.exec(text); end; end = ends.exec(text)) {
    if (end.index >= index) return text.slice(begin, end.index + 1).trim();
    begin = end.index + 1;
  }
  return text.slice(begin).trim();
}

/** A sentence that tells of what is done, or being done. Words in paths, quotes and brackets do not count. */
export function isTold(clause: string): boolean {
  return !talk.test(clause.replace(/\([^)]*\)|\S*[/\\]\S+|\S+\.[A-Za-z]\w*(?=\s|$)|'[^']*'|"[^"]*"/g, ' '));
}
