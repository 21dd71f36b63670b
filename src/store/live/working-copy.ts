import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, formatForeign, makeBeside, nextFile, removeOnSignal, safeMessageOf } from '../../base/index.ts';
import { removeLeftovers, workingFile } from '../generation/generation-files.ts';
import { openLock } from '../generation/generation-lock.ts';
import type { LiveContext } from './live-context.ts';
import { openOwnership } from './working-file.ts';

/*
 * Only its owner can copy a working file as of one moment. A backup asks for a copy with an empty file beside it. The owner
 * removes that file, and in a turn without writes moves every answered write into the working file. It then copies the file
 * beside later writes, and renames the copy when it is complete. If this fails, it leaves the reason in a file instead.
 */

/** The longest time until an owner removes the request. Unit: ms. */
const PICK_UP_MS = 30_000;

/** Interval of the check for a copy. Unit: ms. */
const LOOK_MS = 100;

/** Interval of the check for an owner that has ended. Unit: ms. */
const OWNER_CHECK_MS = 2_000;

/** The files by which a backup and the owner of a working file communicate. */
interface CopyFiles {
  readonly asked: string;
  readonly copy: string;
  readonly failed: string;
}

function nameCopyFiles(file: string): CopyFiles {
  const copy = `${workingFile(file)}.backup`;
  return { asked: `${copy}-asked`, copy, failed: `${copy}-failed` };
}

/** Copies the working file if a backup asks for it, with every write answered until then. */
export async function answerCopyRequest(live: LiveContext): Promise<void> {
  const { asked, copy, failed } = nameCopyFiles(live.source.file);
  if (!existsSync(asked)) return;
  const next = nextFile(copy);
  try {
    await rm(asked);
    await makeBeside(next, async () => {
      await live.freezes(async () => {
        await freezeBetweenRefreshes(live);
        await live.source.copy(next);
      });
      await rename(next, copy);
    });
  } catch (error) {
    await writeFile(next, safeMessageOf(error), { flag: 'wx', mode: 0o600 }).catch(() => undefined);
    await rename(next, failed).catch(() => undefined);
  }
}

/** Freezes the working file with every answered write, whether or not the numbers can show them. */
async function freezeBetweenRefreshes(live: LiveContext): Promise<void> {
  for (let isFrozen = false; !isFrozen; ) {
    await live.beside?.catch(() => undefined);
    isFrozen = await live.queue(async () => {
      // The open transaction of a refresh beside the turns prevents a checkpoint.
      if (live.beside) return false;
      await live.source.journal.apply();
      await live.source.freeze();
      return true;
    });
  }
}

/**
 * Reads a working file while it doesn't change: the file itself if no process owns it, else a copy made by its owner.
 * @param read Reads the file at this path and the files named after it (`.wal`, `.journal`).
 * @throws AppError busy if the owner makes no copies, or during another backup; storage if the owner can't make one.
 */
export async function readWorkingAtRest<T>(file: string, read: (work: string) => Promise<T>): Promise<T> {
  const work = workingFile(file);
  const files = nameCopyFiles(file);
  const lock = await openLock(files.copy, {
    message: `Another backup of ${file} is under way`,
    hint: 'Wait until it has finished, then try again.',
  });
  try {
    for (const path of Object.values(files)) {
      await rm(path, { force: true });
      removeOnSignal(path);
    }
    await writeFile(files.asked, '', { flag: 'wx' });
    const deadline = performance.now() + PICK_UP_MS;
    for (;;) {
      const owned = await openOwnership(work, { message: '', hint: '' }).catch(ignoreBusy);
      if (owned) return await read(work).finally(() => owned.close());
      if (await waitForCopy(work, files)) return await read(files.copy);
      if (existsSync(files.asked) && performance.now() > deadline) {
        throw new AppError('busy', `The process that owns ${work} makes no copy of it`, {
          hint: 'Stop it, or wait until it has ended, and back up again. Only servers and syncs of this version make copies.',
        });
      }
    }
  } finally {
    for (const path of Object.values(files)) await rm(path, { force: true });
    removeLeftovers(files.copy);
    await lock.close();
  }
}

/** Waits for a copy for a while. @throws AppError storage with the owner's reason if the owner can't make it. */
async function waitForCopy(work: string, { copy, failed }: CopyFiles): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < OWNER_CHECK_MS; waitedMs += LOOK_MS) {
    if (existsSync(copy)) return true;
    if (existsSync(failed)) {
      const reason = formatForeign(await readFile(failed, 'utf8'));
      throw new AppError('storage', `The process that owns ${work} can't copy it: ${reason}`, {
        hint: 'A copy needs as much room beside the working file as that file. Nothing was changed.',
      });
    }
    await sleep(LOOK_MS);
  }
  return false;
}

function ignoreBusy(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'busy') throw error;
}
