/** Docker's json-file: `{"log":"step 1\n","stream":"stdout","time":"..."}`. */
const docker = /^\{"log":"((?:[^"\\]|\\.)*)","stream":"std(?:out|err)"(?:,"[\w.]+":(?:"[^"]*"|\{[^{}]*\}))*\}\s*$/;

/** The line that a container's runtime wrapped in an object of its own; another text as it is. */
export function unwrap(text: string): string {
  if (!text.startsWith('{"log":"')) return text;
  const wrapped = docker.exec(text)?.[1];
  if (wrapped === undefined) return text;
  try {
    const line: unknown = JSON.parse(`"${wrapped}"`);
    return typeof line === 'string' ? line.replace(/\r?\n$/, '') : text;
  } catch {
    return text;
  }
}
