import { z } from 'zod';

/** For `transform` of a text that is a regular expression. `read` may ask for more, and says with "it has ..." what is missing. */
export function regexOf(read: (text: string) => RegExp = (text) => new RegExp(text)) {
  return (text: string, context: z.RefinementCtx): RegExp => {
    try {
      return read(text);
    } catch (error) {
      const { message } = error as Error;
      const own = /^it (has .*)/s.exec(message)?.[1];
      context.addIssue({ code: 'custom', message: own ?? `is no regular expression (${message})` });
      return z.NEVER;
    }
  };
}
