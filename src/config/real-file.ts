import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { AppError, messageOf } from '../error.ts';

/**
 * Follows a link to the file that it names, so that locks, and what lies beside a file, belong to the file and not to one of its names.
 * @param flag What the name was given with.
 * @returns the name itself when it is no link, or nothing is there yet.
 * @throws AppError storage for a link that leads nowhere.
 */
export function followLink(name: string, flag: string): string {
  if (!isLink(name)) return name;
  try {
    return realpathSync(name);
  } catch (cause) {
    throw new AppError('storage', `${name} is a link to ${readlinkSync(name)}, ${describeEnd(cause)}`, {
      hint: `Put the link right, or name the file itself with --${flag}.`,
      cause,
    });
  }
}

function isLink(name: string): boolean {
  try {
    return lstatSync(name).isSymbolicLink();
  } catch {
    // Nothing is there, or the way to it is wrong: the one who opens it says so better.
    return false;
  }
}

function describeEnd(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'which is not there';
  if (code === 'ELOOP') return 'which leads back to itself';
  return `which can't be followed: ${messageOf(cause)}`;
}
