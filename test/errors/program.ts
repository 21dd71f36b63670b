import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { builtFile } from '../../src/base/config/package.ts';
import type { Outcome } from './gallery.ts';

const MAIN = builtFile('main.js');

export interface Program {
  readonly pid: number;
  /** Sends a signal. @returns False if the process has ended already. */
  signal(name: NodeJS.Signals): boolean;
  /** Passes on standard error as it arrives. */
  onStderr(listener: (text: string) => void): void;
  /** Output and exit code after the end; the exit code is null if killed. */
  readonly outcome: Promise<Outcome>;
}

export interface ProgramOptions {
  /** Largest size of a written file. Unit: KiB. */
  readonly limitKib?: number;
  readonly nodeFlags?: readonly string[];
  /** Variables of the environment beside those of the tests. */
  readonly variables?: Readonly<Record<string, string>>;
}

export function startProgram(
  args: readonly string[],
  { limitKib, nodeFlags = [], variables }: ProgramOptions = {},
): Program {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: npm run build makes it`);
  const command = [process.execPath, ...nodeFlags, MAIN, ...args];
  const [file = '', ...rest] =
    limitKib === undefined ? command : ['bash', '-c', `ulimit -f ${limitKib}; exec "$0" "$@"`, ...command];
  const child = spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...environment(), ...variables } });
  return {
    pid: child.pid ?? 0,
    signal: (name) => child.kill(name),
    onStderr: (listener) => void child.stderr?.on('data', (text) => listener(String(text))),
    outcome: readOutcome(child),
  };
}

export interface ServerOptions extends ProgramOptions {
  /** Flags beside those of the database, the port and the log. Default: --write. */
  readonly flags?: readonly string[];
}

/** Starts a server on a free port, and waits for its first answer. */
export async function startServer(
  file: string,
  { flags = ['--write'], ...options }: ServerOptions = {},
): Promise<{ program: Program; url: string }> {
  const args = ['serve', '--database', file, '--port', '0', '--log-level', 'error', ...flags];
  const program = startProgram(args, options);
  // Stops the server after a failed test.
  onTestFinished(() => void program.signal('SIGKILL'));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    program.onStderr((text) => {
      output += text;
      const [found] = /http:\/\/[\d.:]+/.exec(output) ?? [];
      if (found) resolve(found);
    });
    void program.outcome.then(({ stderr }) => reject(new Error(stderr)));
  });
  return { program, url };
}

export function runProcess(args: readonly string[], options: ProgramOptions = {}): Promise<Outcome> {
  return startProgram(args, options).outcome;
}

async function readOutcome(child: ReturnType<typeof spawn>): Promise<Outcome> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { ...texts, exitCode };
}

function environment(): NodeJS.ProcessEnv {
  const { PLUMBLINE_DATABASE: _file, PLUMBLINE_MEMORY_LIMIT: _limit, ...others } = process.env;
  return others;
}
