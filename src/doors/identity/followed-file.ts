import { fullMessageOf } from '../../base/index.ts';
import { readSignature } from '../../store/generation/index.ts';

/** A file that is read again when it changes. */
export interface FollowedFile<Content> {
  /** Returns what was read last; undefined while the file can't be read. */
  current(): Content | undefined;
  /** Returns why the file can't be read; undefined if it can. */
  findFault(): string | undefined;
  /** Returns whether there was a file when it was read last. */
  isThere(): boolean;
  /** Reads the file if it has changed. @returns true if it had. */
  look(): Promise<boolean>;
}

/**
 * Reads a file and follows its changes.
 * @param read Reads the whole file, also one that is gone.
 * @throws the error of `read` at first; later ones are faults.
 */
export async function followFile<Content>(
  file: string,
  read: (file: string) => Promise<Content>,
): Promise<FollowedFile<Content>> {
  let signature = await readSignature(file);
  let content: Content | undefined = await read(file);
  let fault: string | undefined;
  return {
    current: () => content,
    findFault: () => fault,
    isThere: () => signature !== '',
    async look() {
      const found = await readSignature(file);
      if (found === signature) return false;
      signature = found;
      try {
        content = await read(file);
        fault = undefined;
      } catch (error) {
        content = undefined;
        fault = fullMessageOf(error);
      }
      return true;
    },
  };
}
