/** Ink's own Output; the bundler finds it (scripts/lib/fast-ink-plugin.mjs), since Ink does not export it. */
declare module 'ink/build/output.js' {
  export default class Output {
    constructor(size: { readonly width: number; readonly height: number });
    write(
      x: number,
      y: number,
      text: string,
      options: { readonly transformers: readonly ((text: string, index: number) => string)[] },
    ): void;
    clip(clip: unknown): void;
    unclip(): void;
    get(): { output: string; height: number };
  }
}
