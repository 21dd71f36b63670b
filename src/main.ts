#!/usr/bin/env node
import { runProgram } from './cli.ts';
import { makeFilesPrivate } from './private-files.ts';
import { endOnSignals } from './signals.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the pipe has gone (head, say): nothing is left to do.
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
makeFilesPrivate();
endOnSignals();
const { stdout, stderr } = process;
process.exitCode = await runProgram(process.argv.slice(2), { stdout, stderr, now: () => new Date() });
