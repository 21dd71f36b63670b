import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { AppError, messageOf } from '../error.ts';

/**
 * Resolves a link, so that locks and neighboring files belong to the file, not to one of its names.
 * @param flag The flag that gave the name.
 * @returns The name itself if it is not a link, or nothing exists there yet.
 * @throws AppError storage for a broken link.
 */
export function followLink(name: string, flag: string): string {
  if (!isLink(name)) return name;
  try {
    return realpathSync(name);
  } catch (cause) {
    throw new AppError('storage', `${name} is a link to ${readlinkSync(name)}, ${describeEnd(cause)}`, {
      hint: `Correct the link, or name the file itself with --${flag}.`,
      cause,
    });
  }
}

function isLink(name: string): boolean {
  try {
    return lstatSync(name).isSymbolicLink();
  } catch {
    // A missing file or a wrong path gets a better message when it is opened.
    return false;
  }
}

function describeEnd(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'which is not there';
  if (code === 'ELOOP') return 'which leads back to itself';
  return `which can't be followed: ${messageOf(cause)}`;
}
