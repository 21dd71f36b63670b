import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the databases loaded in this run. */
    loaded: string;
  }
}

/** Makes the folder of loaded databases that all workers of a run share. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-loaded-'));
  project.provide('loaded', folder);
  return () => rmSync(folder, { recursive: true });
}
