import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Files that use the streams of the process, and the ways in which they do. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // They pass the streams on to the outputs of a command.
  'main.ts': ['process.stdout', '= process'],
  'cli.ts': ['= process', 'process.stdout', 'process.stderr'],
  // Standard output is the pipe to the process that has started this one.
  'doors/sandbox/child.ts': ['process.stdout'],
  // Messages of a protocol go to the stream itself, and a progress bar moves the cursor.
  'doors/mcp/mcp-command.ts': ['stdout.stream'],
  'doors/command/load/load-command.ts': ['stderr.stream'],
  'doors/command/sync-command.ts': ['stderr.stream'],
};

/** Matches the ways to standard output and standard error. */
const WAY =
  /process\??\.std(?:out|err)|process\[|= process\b(?!\.)|console\b(?=\??[.[])|std(?:out|err)\??\.stream|node:(?:process|console|tty)|writeSync\([12]\b|\/dev\/std\w+|emitWarning/g;

it('nothing but the outputs of a command writes to standard output and standard error', () => {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file, [...new Set(readFileSync(join('src', file), 'utf8').match(WAY) ?? [])].sort()] as const)
    .filter(([, ways]) => ways.length > 0);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(ALLOWED).map(([file, ways]) => [file, [...ways].sort()])),
  );
});
