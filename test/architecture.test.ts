import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** What each room of src may import from; docs/architecture.md says why. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  clock: [],
  model: ['clock'],
  config: ['model'],
  collectors: ['clock', 'config', 'model'],
  demo: ['clock', 'collectors', 'model'],
  doctor: ['clock', 'collectors', 'model', 'recording'],
  recording: ['clock', 'config', 'model'],
  import: ['clock', 'collectors', 'model'],
  ui: ['clock', 'model'],
  notify: ['clock', 'model'],
  attach: ['clock', 'collectors', 'config', 'model', 'recording'],
  report: ['clock', 'model', 'recording'],
  commands: [
    ...[
      'attach',
      'clock',
      'collectors',
      'config',
      'demo',
      'doctor',
      'import',
      'model',
      'notify',
      'recording',
      'report',
    ],
    'ui',
  ],
  main: ['collectors', 'commands', 'config', 'model', 'recording'],
};

/** Fixtures are what tools printed: they stand where their tests look for them, and are not read here. */
const sources = ['src', 'test', 'bench', 'scripts', 'bin']
  .flatMap((folder) => filesIn(folder))
  .filter((path) => !path.startsWith('test/fixtures/'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const typescript = sources.filter(({ path }) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'));
const inSrc = typescript.filter(({ path }) => path.startsWith('src/'));

describe('the rooms', () => {
  test('imports run one way', () => {
    const wrong = inSrc.flatMap(({ path, text }) =>
      importsOf(text)
        .map((name) => join(dirname(path), name))
        .filter((to) => to.startsWith('src/') && roomOf(to) !== roomOf(path))
        .filter((to) => !rooms[roomOf(path)]?.includes(roomOf(to)))
        .map((to) => `${path} -> ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  test('a collector knows the others by the registry only', () => {
    const sourceOf = (path: string) => /^src\/collectors\/(\w+)\//.exec(path)?.[1];
    const wrong = inSrc.flatMap(({ path, text }) =>
      importsOf(text)
        .map((name) => join(dirname(path), name))
        .filter((to) => sourceOf(path) !== undefined && sourceOf(to) !== undefined && sourceOf(to) !== 'transport')
        .filter((to) => sourceOf(to) !== sourceOf(path))
        .map((to) => `${path} -> ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  test('the model and the screen do no input and output', () => {
    const wrong = inSrc.filter(
      ({ path, text }) => /^src\/(model|ui)\//.test(path) && /from 'node:(?!crypto|util)/.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('no file has more than 300 lines', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 301);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test('only the clock reads the time and sets timers', () => {
    const wrong = inSrc.filter(
      ({ path, text }) =>
        path !== 'src/clock.ts' &&
        // A method that is called so has its parameter's name behind it.
        /\b(?:Date|performance)\.now\b|new Date\(\)|(?<![.\w])set(?:Timeout|Interval)\((?!ms[:)])/.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe('the checkout', () => {
  test('what tools printed is in test/fixtures, and nowhere else in test', () => {
    const isProgram = (path: string) => /\.(?:tsx?|py)$/.test(path) || readFileSync(path, 'latin1').startsWith('#!');
    const data = allIn('test').filter((path) => !path.startsWith('test/fixtures/') && !isProgram(path));
    expect(data).toEqual([]);
  });

  test('nothing knows where it lies, or whence its packages came', () => {
    const here = process.cwd();
    expect(sources.filter(({ text }) => text.includes(`${here}/`)).map(({ path }) => path)).toEqual([]);
    expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/"resolved": "https?:/);
  });
});

describe('exports', () => {
  test('each says what it is for', () => {
    const untold = exportsOf(inSrc).flatMap(({ path, name, told }) => (told ? [] : [`${path} ${name}`]));
    expect(untold).toEqual([]);
  });

  test('each that holds a value is imported somewhere', () => {
    const imported = new Set(sources.flatMap(({ path, text }) => namesImported(path, text)));
    const unused = exportsOf(inSrc)
      .filter(({ path, name, isType }) => !isType && !imported.has(`${path} ${name}`) && !imported.has(`${path} *`))
      .map(({ path, name }) => `${path} ${name}`);
    // These stand in the place of parts of Ink, for the bundler (scripts/lib/fast-ink-plugin.mjs).
    expect(unused.filter((name) => !name.startsWith('src/ui/ink/'))).toEqual([]);
  });
});

function filesIn(folder: string): readonly string[] {
  return allIn(folder).filter((path) => /\.(?:tsx?|m?js|sh|py)$/.test(path));
}

function allIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === '__pycache__') return [];
    return entry.isDirectory() ? allIn(path) : [path];
  });
}

/** `src/clock.ts` is a room of its own. */
function roomOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '');
}

function importsOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].flatMap(([, name]) => name ?? []);
}

interface Export {
  readonly path: string;
  readonly name: string;
  readonly isType: boolean;
  /** It has a doc comment. */
  readonly told: boolean;
}

function exportsOf(files: typeof sources): readonly Export[] {
  return files.flatMap(({ path, text }) =>
    parse(path, text).statements.flatMap((statement): readonly Export[] => {
      const isExported =
        ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      if (!isExported) return [];
      const told = ts.getJSDocCommentsAndTags(statement).length > 0;
      const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
      return namesOf(statement).map((name) => ({ path, name, isType, told }));
    }),
  );
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((e) => ('name' in e ? [e.name.getText()] : [])),
    );
  const { name } = statement as ts.Statement & { readonly name?: ts.Identifier };
  return name ? [name.text] : [];
}

/** `PATH NAME` of what a file imports by name; `PATH *` where it takes all, as `import()` does. */
function namesImported(path: string, text: string): readonly string[] {
  const found = [...text.matchAll(/import\('(\.[^']+)'\)/g)].map(([, name]) => `${join(dirname(path), name ?? '')} *`);
  for (const statement of parse(path, text).statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const from = statement.moduleSpecifier;
    if (!from || !ts.isStringLiteral(from) || !from.text.startsWith('.')) continue;
    const target = join(dirname(path), from.text);
    const names = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
    if (!names || !('elements' in names)) found.push(`${target} *`);
    else for (const { propertyName, name } of names.elements) found.push(`${target} ${(propertyName ?? name).text}`);
  }
  return found;
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}
