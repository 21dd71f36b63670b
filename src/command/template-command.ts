import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf } from '../error.ts';
import { TEMPLATE_PARTS, writeTemplate } from '../template/template-files.ts';
import { type Command, givenInstead } from './command.ts';

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
      throw new AppError('storage', `Can't write to ${directory}: ${messageOf(cause)}`, {
        hint: 'Check the path, and that there is room.',
        cause,
      });
    }
    stderr.print(`Wrote ${TEMPLATE_PARTS.join(', ')} into ${directory}. Begin with ${directory}/least.`);
  },
};

/** @returns the first directory that was made; undefined if it was there. */
async function makeEmptyDirectory(directory: string): Promise<string | undefined> {
  const [made, names] = await mkdir(directory, { recursive: true }).then(
    async (first) => [first, await readdir(directory)] as const,
    (cause) => {
      throw new AppError('usage', `Can't make the directory ${directory}: ${messageOf(cause)}`, {
        hint: 'Name a new or empty directory.',
        cause,
      });
    },
  );
  if (names.length === 0) return made;
  throw new AppError('usage', `${directory} isn't empty`, { hint: 'Name a new or empty directory.' });
}

/** Removes a template that is written in part, so that the next attempt finds the directory empty. */
async function removeMade(directory: string, made: string | undefined): Promise<void> {
  const paths =
    made === undefined ? (await readdir(directory).catch(() => [])).map((name) => join(directory, name)) : [made];
  for (const path of paths) await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
