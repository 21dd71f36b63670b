import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What a server has done since it was asked last. */
interface Facts {
  /** The event loop's delay: its 99th percentile. Unit: ms. */
  readonly p99: number;
  readonly cpuSeconds: number;
}

/** A server in a process of its own. */
export interface Child {
  readonly url: string;
  /** What it has done since it was asked last. */
  readFacts(): Promise<Facts>;
  close(): void;
}

/** Starts http-server.ts with its arguments. */
export async function startServer(...args: string[]): Promise<Child> {
  const file = fileURLToPath(new URL('./http-server.js', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines: Interface = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const readLine = async () => JSON.parse(((await once(lines, 'line')) as [string])[0]) as Facts & { url: string };
  const { url } = await readLine();
  return {
    url,
    readFacts() {
      child.stdin?.write('\n');
      return readLine();
    },
    close: () => child.kill(),
  };
}
