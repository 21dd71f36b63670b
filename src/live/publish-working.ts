import type { Database, OpenOptions } from '../database/database.ts';
import { steps } from '../database/steps.ts';
import { storageError, workingFile } from '../generation/generation-files.ts';
import { type Build, publishGeneration } from '../generation/publish.ts';
import { copyPrivately } from '../private-files.ts';

/**
 * Checkpoints into the working file, which then stays unchanged: later writes go to the log beside it.
 * Requires that nobody writes; publishWorking and copyFrozen end the freeze.
 */
export async function freezeWorking(working: Database): Promise<void> {
  await working.run("SET checkpoint_threshold = '1TB'");
  try {
    await steps.take('checkpoint', () => working.run('CHECKPOINT'));
  } catch (error) {
    await thawWorking(working);
    throw error;
  }
}

/** Copies a frozen working file whole, with its schema `service`, and ends the freeze. */
export async function copyFrozen(working: Database, file: string, to: string): Promise<void> {
  try {
    await copyPrivately(workingFile(file), to);
  } finally {
    await thawWorking(working);
  }
}

/** Allows checkpoints into the working file again. */
function thawWorking(working: Database): Promise<void> {
  return working.run('RESET checkpoint_threshold');
}

/**
 * Publishes a frozen working file as a load does: builds both files beside the old ones and renames them.
 * @param build Turns the copy of the working file, without its schema `service`, into the published files.
 */
export async function publishWorking(
  working: Database,
  file: string,
  options: OpenOptions,
  build: Pick<Build<void>, 'generation' | 'withoutRates' | 'keepReplaced'>,
): Promise<void> {
  const copy = (next: string) => copyPrivately(workingFile(file), next);
  try {
    await publishGeneration(file, options, {
      ...build,
      place: (next) => steps.take('copy the working file', () => copy(next)),
      async generation(database) {
        await database.run('DROP SCHEMA service CASCADE');
        await build.generation(database);
      },
    });
  } catch (error) {
    throw storageError(file, error, 'publication');
  } finally {
    await thawWorking(working);
  }
}
