// A plugin of the bundler: what is imported from an index is imported from the file that has it. Otherwise each command would
// load all that the indexes which it names lead to, as the bundler parts its files by what imports what, not by what is used.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const IMPORT = /^import (type )?\{([^}]*)\} from '([^']*\/index\.ts)';$/gm;
const EXPORT = /^export (?:type )?\{([^}]*)\} from '([^']*)';$/gm;

/** The path of the file that has each name of an index. */
const indexes = new Map();

export const throughIndexes = {
  name: 'through-indexes',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(IMPORT, (_, type = '', names, index) => {
        const files = filesOf(join(dirname(path), index));
        return listNames(names)
          .map((name) => `import ${type}{ ${name} } from './${relative(dirname(path), files.get(bare(name)))}';`)
          .join(' ');
      }),
    }));
  },
};

function filesOf(index) {
  const known = indexes.get(index);
  if (known) return known;
  const files = new Map();
  for (const [, names, file] of readFileSync(index, 'utf8').matchAll(EXPORT)) {
    for (const name of listNames(names)) files.set(bare(name), join(dirname(index), file));
  }
  indexes.set(index, files);
  return files;
}

const listNames = (names) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

const bare = (name) => name.replace(/^type /, '').replace(/ as .*/, '');
