const words =
  /load|cop(?:y|ied)|fetch|pull|push|extract|unpack|transfer|\bmap\b|tokeniz|prep|process|index|shard|compil|build|install|cach|eval|valid|test|generat|rollout|\bsav|\bfiles?\b|\d\s?[KMG]i?B(?:\/s)?\b/i;

/** Whether a line tells of what else than a training has a time that is left; its beginning is searched, for it may tell many. */
export const isTransfer = (text = ''): boolean => words.test(text.slice(0, 500));
