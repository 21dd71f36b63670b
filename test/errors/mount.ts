import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';

/** Returns whether this process may mount a disk in memory. */
export function canMount(): boolean {
  const { status } = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/mnt']);
  return status === 0;
}

export function mount(args: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}
