import { createReadStream } from 'node:fs';
import { createScanner, type JsonLayout } from './json-scanner.ts';

/** The position of a JSON syntax error. Lines and columns count from 1, columns in characters. */
export interface JsonError {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

/** Finds the first JSON syntax error of a file in one pass, in constant memory. */
export async function findJsonError(path: string, layout: JsonLayout): Promise<JsonError | undefined> {
  const scanner = createScanner(layout);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      const problem = scanner.next(byte);
      if (problem) return { ...scanner.position(), problem };
    }
  }
  const problem = scanner.end();
  return problem ? { ...scanner.position(), problem } : undefined;
}
