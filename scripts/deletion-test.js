// The deletion test: takes a part out of a copy of this tree, and checks what is left with the compiler, the linter and the tests.
// Taking it out is deleting its folder, the line of the one list that names it, and the tests and benchmarks that are about it.
// Usage: node scripts/deletion-test.js [PART...] [--tests PATH...]: all parts by default, and of tests those of the paths, or none.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

/**
 * The parts: what is deleted; the lists, and what is deleted there; and the words of tests that are about the part, beside those
 * that import it.
 */
const PARTS = {
  deliver: {
    paths: ['src/doors/deliver', 'page/screens/deliveries.tsx'],
    lists: {
      'src/doors/doors.ts': /^.*\bDELIVER\b.*\n/gm,
      // The page has a list of its own screens.
      'page/app.tsx': /^import \{ Deliveries \}.*\n|^ {2}deliveries: \{\n[^]*?^ {2}\},\n/gm,
    },
    words: /deliver/i,
  },
  mcp: {
    paths: ['src/doors/mcp'],
    lists: { 'src/doors/doors.ts': /^.*\bMCP\b.*\n/gm },
    words: /\bmcp\b/i,
  },
  odata: {
    paths: ['src/doors/odata'],
    lists: { 'src/doors/doors.ts': /^.*\bODATA\b.*\n/gm },
    words: /odata/i,
  },
  sandbox: {
    paths: ['src/doors/sandbox'],
    lists: { 'src/doors/doors.ts': /^.*\bSANDBOX\b.*\n/gm },
    words: /sandbox|\/v3\/sql|'sql'/i,
  },
};

const dashes = process.argv.indexOf('--tests');
const asked = process.argv.slice(2, dashes < 0 ? undefined : dashes);
const paths = dashes < 0 ? [] : process.argv.slice(dashes + 1);
const unknown = asked.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) throw new Error(`There is no part "${unknown}". The parts are ${Object.keys(PARTS).join(', ')}.`);

const failed = (asked.length > 0 ? asked : Object.keys(PARTS)).filter((name) => !holdsWithout(name));
if (failed.length > 0) process.exitCode = 1;

/** Tells whether the rest is whole without a part. */
function holdsWithout(name) {
  const folder = mkdtempSync(join(tmpdir(), `plumbline-without-${name}-`));
  try {
    copyTree(folder);
    const gone = takeOut(folder, PARTS[name]);
    console.log(`Without ${name}: ${gone.length} tests and benchmarks are about it.`);
    const steps = [
      ['types', ['tsc', '--noEmit', '-p', 'tsconfig.json']],
      ['types of the page', ['tsc', '--noEmit', '-p', 'page/tsconfig.json']],
      ['lint', ['biome', 'check', '--error-on-warnings', '.']],
      ...(paths.length > 0 ? [['tests', ['vitest', 'run', '--project', 'short', '--tags-filter', '!slow', ...paths]]] : []),
    ];
    const wrong = steps.filter(([step, [program, ...args]]) => !passes(folder, `${name}: ${step}`, program, args));
    return wrong.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function passes(folder, step, program, args) {
  try {
    execFileSync(join('node_modules/.bin', program), args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    console.log(`  ${step}: passes`);
    return true;
  } catch (error) {
    console.log(`  ${step}: fails\n${error.stdout}${error.stderr}`);
    return false;
  }
}

/** Copies the files of the tree, with the packages as links and the built program as it is. */
function copyTree(folder) {
  for (const file of listFiles()) cpSync(file, join(folder, file));
  for (const packages of ['node_modules', 'test/node_modules'])
    if (existsSync(packages)) symlinkSync(join(process.cwd(), packages), join(folder, packages));
  if (existsSync('dist')) cpSync('dist', join(folder, 'dist'), { recursive: true });
}

function listFiles() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  return listed.split('\n').filter((file) => file !== '' && existsSync(file));
}

/** Takes a part out. @returns the tests and benchmarks that went with it. */
function takeOut(folder, { paths: own, lists, words }) {
  for (const path of own) rmSync(join(folder, path), { recursive: true });
  for (const [file, lines] of Object.entries(lists)) {
    const text = readFileSync(join(folder, file), 'utf8');
    const left = text.replaceAll(lines, '');
    if (left === text) throw new Error(`${file} doesn't name the part as expected.`);
    writeFileSync(join(folder, file), left);
  }
  const others = listFiles().filter((file) => /^(?:test|bench)\/.*\.ts$/.test(file));
  const isOwn = (file) => own.some((path) => file === path || file.startsWith(`${path}/`));
  const gone = new Set();
  const isAbout = (file) => {
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('.test.ts') && words.test(text)) return true;
    const imported = [...text.matchAll(/(?:from|import\() ?'(\.[^']*)'/g)];
    return imported.map(([, path]) => normalize(join(dirname(file), path))).some((path) => isOwn(path) || gone.has(path));
  };
  for (let size = -1; size !== gone.size; ) {
    size = gone.size;
    for (const file of others) if (!gone.has(file) && isAbout(file)) gone.add(file);
  }
  for (const file of gone) rmSync(join(folder, file));
  return [...gone];
}
