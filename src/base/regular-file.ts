import { stat } from 'node:fs/promises';
import { AppError } from './error.ts';

/**
 * Checks an entry of a folder before it is opened: reading a pipe or a device may never end.
 * A missing entry passes, because opening it fails.
 * @throws AppError input if it is no file.
 */
export async function assertRegularFile(path: string): Promise<void> {
  const status = await stat(path).catch(() => undefined);
  if (!status || status.isFile()) return;
  const kind = status.isDirectory() ? 'folder' : status.isFIFO() ? 'pipe' : status.isSocket() ? 'socket' : 'device';
  throw new AppError('input', `${path} is a ${kind}, not a file`, {
    hint: 'Take it out of the folder, or put a file in its place.',
  });
}
