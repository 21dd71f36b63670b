import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';

const SERVE_JOBS = pathToFileURL(join(packageDirectory, 'dist/src/base/jobs/serve-jobs.js')).href;

/** A process that starts another one, and gives it a job that never lets its event loop turn. */
const PARENT = `
  import { fork } from 'node:child_process';
  const child = fork(process.argv[2]);
  child.on('message', () => console.log(child.pid));
  child.send({ job: {} });
`;
const CHILD = `
  import { serveJobs } from ${JSON.stringify(SERVE_JOBS)};
  serveJobs((job, onProgress) => {
    onProgress('begun');
    setTimeout(() => { for (;;); }, 100);
    return new Promise(() => undefined);
  });
`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('a process whose job keeps it busy ends with its parent that is killed', { tags: ['slow'] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-jobs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [parentFile, childFile] = [join(folder, 'parent.mjs'), join(folder, 'child.mjs')];
  writeFileSync(parentFile, PARENT);
  writeFileSync(childFile, CHILD);
  const parent = spawn(process.execPath, [parentFile, childFile], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(output.toString());
  onTestFinished(() => void (isAlive(child) && process.kill(child, 'SIGKILL')));
  await sleep(500);
  expect(isAlive(child)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false);
});
