import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeError } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { TEMPLATE_PARTS, writeTemplate } from '../template/template-files.ts';
import { type Command, givenInstead } from './command.ts';

/** The way out beside the rights and the space of a folder. */
const ELSEWHERE = 'name another directory';

export const template: Command = {
  name: 'template',
  summary:
    'Writes files to fill in, in a new or empty directory: least/ has what a first report needs, all/ and template.xlsx have every field, and fields.md explains each. Each file has two example rows.',
  usage: 'template DIR',
  flags: [],
  examples: ['template own', 'load own/least --database own.duckdb'],
  async run(positionals, _flags, { stderr, now }) {
    const [directory, ...others] = positionals;
    if (directory === undefined || others.length > 0)
      throw new AppError('usage', `template takes one directory${givenInstead(positionals)}`, {
        hint: 'For example: plumbline template own',
      });
    const made = await makeEmptyDirectory(directory);
    try {
      await writeTemplate(directory, now());
    } catch (cause) {
      await removeMade(directory, made);
      throw writeError(directory, cause, ELSEWHERE);
    }
    stderr.print(`Wrote ${TEMPLATE_PARTS.join(', ')} into ${directory}. Begin with ${directory}/least.`);
  },
};

/** @returns the first directory that was made; undefined if it was there. */
async function makeEmptyDirectory(directory: string): Promise<string | undefined> {
  const made = await makeDirectory(directory).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EEXIST' || cause.code === 'ENOTDIR') throw notEmptyError(directory);
    throw writeError(directory, cause, ELSEWHERE);
  });
  if ((await readdir(directory)).length > 0) throw notEmptyError(directory);
  return made;
}

/** Makes a directory, and those above it that are missing: asked for both, Node calls a read-only disk a missing file. */
function makeDirectory(directory: string): Promise<string | undefined> {
  return mkdir(directory).then(
    () => directory,
    (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT' && cause.code !== 'EEXIST') throw cause;
      return mkdir(directory, { recursive: true });
    },
  );
}

function notEmptyError(directory: string): AppError {
  return new AppError('usage', `${directory} isn't an empty directory`, { hint: 'Name a new or empty directory.' });
}

/** Removes a template that is written in part, so that the next attempt finds the directory empty. */
async function removeMade(directory: string, made: string | undefined): Promise<void> {
  const paths =
    made === undefined ? (await readdir(directory).catch(() => [])).map((name) => join(directory, name)) : [made];
  for (const path of paths) await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
