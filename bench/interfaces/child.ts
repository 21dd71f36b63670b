import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The activity of a server since the previous reading. */
interface ServerStats {
  /** The 99th percentile of the event loop delay. Unit: ms. */
  readonly p99: number;
  readonly cpuSeconds: number;
}

export interface ServerProcess {
  readonly url: string;
  readStats(): Promise<ServerStats>;
  close(): void;
}

export async function startServer(...args: string[]): Promise<ServerProcess> {
  const file = fileURLToPath(new URL('./http-server.js', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines: Interface = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const readLine = async () =>
    JSON.parse(((await once(lines, 'line')) as [string])[0]) as ServerStats & { url: string };
  const { url } = await readLine();
  return {
    url,
    readStats() {
      child.stdin?.write('\n');
      return readLine();
    },
    close: () => child.kill(),
  };
}
