import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The files of a folder at moments between which nothing was written. */
export interface Moment {
  readonly when: readonly string[];
  readonly folder: string;
  /** Number of writes that were answered by then. */
  readonly answered: number;
}

/** Returns the SHA-256 of the files of a folder. */
function digestOf(folder: string): string {
  const hash = createHash('sha256');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const name of names.sort()) hash.update(`\0${name.slice(folder.length)}\0`).update(readFileSync(name));
  return hash.digest('hex');
}

/** Collects copies of a folder, as a process that dies at a moment leaves it. They are removed after the test. */
export function collectMoments(folder: string) {
  const root = mkdtempSync(join(tmpdir(), 'plumbline-moments-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const moments: (Moment & { readonly when: string[]; readonly digest: string })[] = [];
  return {
    moments: moments as readonly Moment[],
    take(when: string, answered = 0) {
      const copy = join(root, String(moments.length));
      cpSync(folder, copy, { recursive: true });
      const digest = digestOf(copy);
      const last = moments.at(-1);
      if (last?.digest !== digest || last.answered !== answered)
        moments.push({ when: [when], folder: copy, answered, digest });
      else {
        last.when.push(when);
        rmSync(copy, { recursive: true });
      }
    },
  };
}
