/** A file as text, in the bundle and in tests (scripts/lib/raw-plugin.mjs; Vite has it of its own). */
declare module '*?raw' {
  const text: string;
  export default text;
}
