#!/usr/bin/env node
import { endOnSignals, makeFilesPrivate } from './base/index.ts';
import { runProgram } from './cli.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the pipe has gone (head, say): nothing is left to do.
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
makeFilesPrivate();
endOnSignals();
const { stdout, stderr } = process;
process.exitCode = await runProgram(process.argv.slice(2), { stdout, stderr, now: () => new Date() });
