/** A part of a pattern that takes characters. */
export interface Item {
  /** Which it takes, by code; the last place is for all that are not ASCII. */
  readonly chars: readonly boolean[];
  readonly isOptional: boolean;
  readonly isUnbounded: boolean;
  /** It takes a few of them, more or less: `{1,3}`. */
  readonly isVariable?: true;
  /** It is this character, once. */
  readonly literal?: string;
}

/** Repeats up to this many times are no loop. */
const mostFew = 12;
const places = 129;
const none = () => new Array<boolean>(places).fill(false);
const from = (test: (char: string) => boolean) =>
  none().map((_, code) => code === places - 1 || test(String.fromCharCode(code)));
const all = from(() => true);
const not = (chars: readonly boolean[]) => chars.map((has, code) => code === places - 1 || !has);
const union = (sets: readonly (readonly boolean[])[]) => none().map((_, code) => sets.some((set) => set[code]));
const only = (char: string) => {
  const chars = none();
  chars[Math.min(char.charCodeAt(0), places - 1)] = true;
  return chars;
};
const ascii = (test: RegExp) => from((char) => test.test(char)).map((has, code) => has && code < places - 1);
const classes: Readonly<Record<string, readonly boolean[]>> = {
  ...{ d: ascii(/\d/), w: ascii(/\w/), s: from((char) => /\s/.test(char)) },
  ...{ D: not(ascii(/\d/)), W: not(ascii(/\w/)), S: not(ascii(/\s/)) },
};

class Unknown extends Error {}

/** The alternatives of a pattern without flags, each as its items in order; undefined: it has something that is not known here. */
export function parsePattern(source: string): readonly (readonly Item[])[] | undefined {
  let at = 0;
  const peek = (text: string) => source.startsWith(text, at);
  const takes = (text: string) => {
    if (!peek(text)) return false;
    at += text.length;
    return true;
  };

  function alternatives(): readonly (readonly Item[])[] {
    const found = [sequence()];
    while (takes('|')) found.push(sequence());
    return found;
  }

  function sequence(): readonly Item[] {
    const items: Item[] = [];
    while (at < source.length && !peek('|') && !peek(')')) items.push(...repeated(atom()));
    return items;
  }

  function atom(): readonly Item[] {
    if (takes('(')) return group();
    if (takes('[')) return [one(characterClass())];
    if (takes('^') || takes('$') || takes('\\b') || takes('\\B')) return [];
    if (takes('.')) return [one(all)];
    if (takes('\\')) return [escape()];
    const char = source[at++] ?? '';
    return [{ ...one(only(char)), literal: char }];
  }

  function group(): readonly Item[] {
    if (takes('?:')) return inner();
    if (peek('?<') && !peek('?<=') && !peek('?<!')) {
      at = source.indexOf('>', at) + 1;
      return inner();
    }
    if (peek('?')) throw new Unknown();
    return inner();
  }

  function inner(): readonly Item[] {
    const found = alternatives();
    if (!takes(')')) throw new Unknown();
    const [first = []] = found;
    if (found.length === 1) return first;
    // Each alternative is held to its own: together they are as one item.
    for (const items of found) if (items.slice(0, -1).some(({ isUnbounded }) => isUnbounded)) throw new Unknown();
    const isVariable = found.some((items) => items.length !== first.length || items.some((item) => item.isVariable));
    return [
      {
        chars: union(found.flatMap((items) => items.map(({ chars }) => chars))),
        isOptional: found.some((items) => items.every(({ isOptional }) => isOptional)),
        isUnbounded: found.some((items) => items.some(({ isUnbounded }) => isUnbounded)),
        ...(isVariable && { isVariable }),
      },
    ];
  }

  function repeated(items: readonly Item[]): readonly Item[] {
    const [whole = '', least = '', most] = /^(?:[*+?]|\{(\d+)(,\d*)?\})\??/.exec(source.slice(at)) ?? [];
    if (whole === '') return items;
    at += whole.length;
    const isOptional = whole.startsWith('*') || whole.startsWith('?') || least === '0';
    if (whole.startsWith('?') || (least === '1' && most === undefined))
      return items.map(({ literal: _, ...item }) => ({ ...item, isOptional }));
    const chars = union(items.map((item) => item.chars));
    const isSingle = items.length === 1 && !items[0]?.isUnbounded && !items[0]?.isVariable;
    if (isSingle && least !== '' && Number(most === undefined ? least : most.slice(1) || Infinity) <= mostFew)
      return [{ chars, isOptional, isUnbounded: false, ...(most !== undefined && { isVariable: true }) }];
    // A repeat in a repeat may be split in ever more ways.
    if (items.some((item) => item.isUnbounded || item.isVariable || (items.length > 1 && item.isOptional)))
      throw new Unknown();
    return [{ chars, isOptional, isUnbounded: true }];
  }

  function characterClass(): readonly boolean[] {
    const isNot = takes('^');
    const sets: (readonly boolean[])[] = [];
    while (!takes(']')) {
      if (at >= source.length) throw new Unknown();
      const low = classPart();
      if (low.literal !== undefined && peek('-') && source[at + 1] !== ']') {
        at++;
        const high = classPart();
        if (high.literal === undefined) throw new Unknown();
        const [first, last] = [low.literal.charCodeAt(0), high.literal.charCodeAt(0)];
        sets.push(none().map((_, code) => (code < places - 1 ? code >= first && code <= last : last >= places - 1)));
      } else sets.push(low.chars);
    }
    return isNot ? not(union(sets)) : union(sets);
  }

  function classPart(): Item {
    if (takes('\\')) return escape();
    const char = source[at++] ?? '';
    return { ...one(only(char)), literal: char };
  }

  function escape(): Item {
    const char = source[at++] ?? '';
    const known = classes[char];
    if (known) return one(known);
    const control = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v' }[char];
    if (control !== undefined) return { ...one(only(control)), literal: control };
    if (/[A-Za-z0-9]/.test(char)) throw new Unknown();
    return { ...one(only(char)), literal: char };
  }

  try {
    const found = alternatives();
    return at === source.length ? found : undefined;
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

const one = (chars: readonly boolean[]): Item => ({ chars, isOptional: false, isUnbounded: false });
