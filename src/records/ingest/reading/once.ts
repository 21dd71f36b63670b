import { AppError } from '../../../base/index.ts';
import type { InputFile } from './files.ts';
import { hashFile } from './hash.ts';

/** @throws AppError input for two files of one resource with the same bytes, whose rows would count twice. */
export async function assertOnce(files: readonly InputFile[]): Promise<void> {
  const bySize = new Map<string, InputFile[]>();
  for (const file of files.filter(({ mapping }) => mapping)) {
    const key = `${file.resource} ${file.bytes}`;
    bySize.set(key, [...(bySize.get(key) ?? []), file]);
  }
  for (const group of bySize.values()) {
    const paths = [...new Set(group.map(({ path }) => path))];
    const hashes = new Map<string, string>();
    for (const path of paths.length < 2 ? [] : paths) {
      const hash = await hashFile(path);
      const name = group.find((file) => file.path === path)?.name ?? path;
      const other = hashes.get(hash);
      if (other !== undefined) throw sameError(other, name);
      hashes.set(hash, name);
    }
  }
}

function sameError(one: string, other: string): AppError {
  return new AppError('input', `${one} and ${other} are the same file: their rows would count twice`, {
    hint: 'Take one of them out of the folder. Nothing was loaded.',
  });
}
