// Bundles the program into dist/program: one file is found, opened and parsed faster than hundreds. Each file that starts
// a process or a thread is an entry; what they share stands in chunks. The licenses of the packages in it go with it. What each
// file of the bundle holds stands in dist/program.json, for the tests of what a command loads.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { licensesOf } from './licenses.js';
import { throughIndexes } from './through-indexes.js';

const directory = 'dist/program';
const entries = [
  'main',
  'numbers/write/xlsx/worker',
  'pull/reader-child',
  'store/loads/file-reader-child',
  'doors/deliver/sender/folder-child',
  'doors/sandbox/child',
];

// Packages of CommonJS find their own `require` and folder, which modules lack.
const banner = `import { createRequire as plumblineRequire } from 'node:module';
import { dirname as plumblineDirname } from 'node:path';
import { fileURLToPath as plumblinePath } from 'node:url';
const require = plumblineRequire(import.meta.url);
const __filename = plumblinePath(import.meta.url);
const __dirname = plumblineDirname(__filename);`;

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const { outputFiles, metafile } = await build({
  entryPoints: entries.map((entry) => ({ in: `src/${entry}.ts`, out: basename(entry) })),
  outdir: directory,
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'chunks/[hash]',
  banner: { js: banner },
  // Native code, files to serve, and packages that only some users have.
  external: [...Object.keys(dependencies), ...Object.keys(peerDependencies)],
  legalComments: 'none',
  plugins: [throughIndexes],
});

const files = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
files.set(join(process.cwd(), directory, 'licenses.txt'), licensesOf(metafile));
writeFileSync('dist/program.json', JSON.stringify(metafile.outputs));
for (const [path, contents] of files) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
for (const name of readdirSync(join(directory, 'chunks'))) {
  const path = join(process.cwd(), directory, 'chunks', name);
  if (!files.has(path)) rmSync(path);
}
