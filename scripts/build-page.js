// Builds the page: bundles page/ into dist/page, names the files by their content, and compresses them. The licenses of the packages in it go with it.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { licensesOf } from './licenses.js';

const directory = 'dist/page';

/** Parts of Plot, and what they are made of, that no chart of the page needs, a sixth of the page: maps, color schemes, legends and tips. */
const UNNEEDED =
  /plot\/src\/(projection|scales\/schemes|legends\/(ramp|swatches)|marks\/tip|interactions\/pointer)\.js$|d3-geo\/dist\/d3-geo\.mjs$/;

/** Leaves these parts out: their functions return nothing, as they do for charts without a map, a scheme, a legend or a tip. */
const leaveOut = {
  name: 'leave-out',
  setup: ({ onLoad }) =>
    onLoad({ filter: UNNEEDED }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const declared = [...text.matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name);
      const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) => list.match(/\w+(?=\s*(?:,|$))/g));
      return { contents: [...declared, ...listed].map((name) => `export function ${name}() {}`).join('\n') };
    }),
};

const { outputFiles, metafile } = await build({
  plugins: [leaveOut],
  entryPoints: ['page/main.tsx', 'page/style.css'],
  outdir: directory,
  bundle: true,
  write: false,
  metafile: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // The licenses stand in a file beside, which the foot of the page leads to.
  legalComments: 'none',
  charset: 'utf8',
});

const files = new Map();
let index = readFileSync('page/index.html', 'utf8');
const icon = { path: 'page/icon.svg', contents: readFileSync('page/icon.svg') };
for (const { path, contents } of [...outputFiles, icon]) {
  const name = basename(path);
  const digest = createHash('sha256').update(contents).digest('hex').slice(0, 16);
  const named = name.replace('.', `-${digest}.`);
  files.set(named, Buffer.from(contents));
  index = index.replaceAll(`/${name}`, `/${named}`);
}
files.set('licenses.txt', Buffer.from(licensesOf(metafile)));
files.set('index.html', Buffer.from(index));

mkdirSync(directory, { recursive: true });
for (const [name, content] of files) {
  // The page is read whole by a server that starts meanwhile: each file is there before index.html names it.
  writeFileSync(`${directory}/${name}.br`, brotliCompressSync(content));
  writeFileSync(`${directory}/${name}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(`${directory}/${name}`, content);
}
for (const name of readdirSync(directory)) {
  if (!files.has(name.replace(/\.(br|gz)$/, ''))) rmSync(`${directory}/${name}`);
}
