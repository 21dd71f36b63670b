import { stat } from 'node:fs/promises';
import { type Database, isOutOfMemory, steps } from '../../base/database/index.ts';
import { copyPrivately } from '../../base/index.ts';
import { storageError, workingFile } from '../generation/generation-files.ts';
import { type Build, publishGeneration } from '../generation/publish.ts';

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

/** The least memory of the first attempt at a publication. Unit: MiB. */
const MIN_PUBLISH_MEMORY_MIB = 256;

/** Memory of the first attempt as a share of the size of the working file: more gives no speed. */
const PUBLISH_MEMORY_SHARE = 0.6;

/**
 * Publishes a frozen working file as a load does: builds both files beside the old ones and renames them.
 * Tries with little memory first, which is too little for a company with unusually many findings about its data.
 * @param memoryLimitMib The most memory of the engine for it. Unit: MiB.
 * @param build Turns the copy of the working file, without its schema `service`, into the published files.
 */
export async function publishWorking(
  working: Database,
  file: string,
  memoryLimitMib: number,
  build: Pick<Build<void>, 'generation' | 'withoutRates' | 'keepReplaced'>,
): Promise<void> {
  const work = workingFile(file);
  const copy = (next: string) => copyPrivately(work, next);
  const publishWith = (limitMib: number) =>
    publishGeneration(
      file,
      { memoryLimitMib: limitMib },
      {
        ...build,
        place: (next) => steps.take('copy the working file', () => copy(next)),
        async generation(database) {
          await database.run('DROP SCHEMA service CASCADE');
          await build.generation(database);
        },
      },
    );
  try {
    const share = Math.ceil((PUBLISH_MEMORY_SHARE * (await stat(work)).size) / 2 ** 20);
    const firstMib = Math.min(memoryLimitMib, Math.max(MIN_PUBLISH_MEMORY_MIB, share));
    await publishWith(firstMib).catch((error: unknown) => {
      if (firstMib === memoryLimitMib || !isOutOfMemory(error)) throw error;
      return publishWith(memoryLimitMib);
    });
  } catch (error) {
    throw storageError(file, error, 'publication');
  } finally {
    await thawWorking(working);
  }
}
