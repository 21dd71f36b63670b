// Writes the licenses of the packages in a bundle, from esbuild's list of what is in it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ISC = (holder) => `ISC License

Copyright (c) ${holder}

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR
IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;

const MIT = (holder) => `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"),
to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense,
and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
IN THE SOFTWARE.`;

/** Texts of packages that carry none: the standard ones, with the holders that their repositories name. */
const UNSHIPPED = {
  'abstract-logging': [MIT('James Sumners')],
  saxes: [ISC('Contributors'), ISC('Isaac Z. Schlueter and Contributors'), MIT('Mathias Bynens <https://mathiasbynens.be/>')],
};

/** Returns the folder of the package that holds a file, without node_modules. */
const packageOf = (file) => /^node_modules\/((?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];

/** Returns the folders of the packages in a bundle, without node_modules. */
function packagesIn({ inputs }) {
  return [...new Set(Object.keys(inputs).map(packageOf).filter(Boolean))].sort();
}

/** Returns the licenses of the packages in a bundle. @throws Error for a package without a text. */
export function licensesOf(metafile) {
  return `${packagesIn(metafile).map(licenseOf).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function licenseOf(name) {
  const folder = join('node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const texts = files.length > 0 ? files.map((file) => readFileSync(join(folder, file), 'utf8').trim()) : (UNSHIPPED[name] ?? []);
  if (texts.length === 0) throw new Error(`The package ${name} ships no text of its license (${license}): add it to UNSHIPPED in scripts/licenses.js`);
  return [`${name} ${version}, ${license}`, ...texts].join('\n\n');
}
