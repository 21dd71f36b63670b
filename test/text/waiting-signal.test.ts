import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** A program that is busy when a signal comes, as a server that starts, and waits for it then. */
const BUSY = `
import { endOnSignals, waitForSignal } from './src/base/signals.ts';
endOnSignals();
setTimeout(() => {
  process.stdout.write('busy\\n');
  const until = Date.now() + 600;
  while (Date.now() < until);
  waitForSignal().then((signal) => { process.stdout.write(signal); process.exit(0); });
  setTimeout(() => process.exit(7), 5_000);
}, 0);
`;

it('a signal that comes while a server starts stops it', { tags: ['slow'] }, async () => {
  const { outputFiles } = await build({
    stdin: { contents: BUSY, resolveDir: process.cwd(), loader: 'ts' },
    ...{ bundle: true, write: false, platform: 'node', format: 'esm' },
  });
  const program = spawn(process.execPath, ['--input-type=module', '-e', outputFiles[0]?.text ?? '']);
  let printed = '';
  program.stdout.on('data', (chunk) => {
    printed += chunk;
    if (printed === 'busy\n') program.kill('SIGTERM');
  });
  const [code] = await once(program, 'exit');
  expect([code, printed]).toEqual([0, 'busy\nSIGTERM']);
});
