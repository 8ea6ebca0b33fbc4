import { createContext, Script } from 'node:vm';
import type { Bounded } from '../model/roles/rules.ts';

/** Longer than any sane pattern takes on a busy machine. */
const longestMs = 1000;

const context = createContext({}) as { work?: () => unknown };
const script = new Script('work()');

/**
 * Work that is ended after a second: a pattern such as `^(a+)+$` takes for ever on some text, and nothing but node:vm can end it (Node 20 to
 * 24; 0.04 ms a call).
 */
export const bounded: Bounded = <T>(work: () => T) => {
  context.work = work;
  try {
    return script.runInContext(context, { timeout: longestMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return undefined;
  } finally {
    delete context.work;
  }
};
