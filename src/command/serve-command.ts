import { readServerConfig, SERVER_SETTINGS } from '../config/config.ts';
import { AppError } from '../error.ts';
import { openServer } from '../http/server.ts';
import { workingFile } from '../live/generation-files.ts';
import { openLiveSource } from '../live/live-source.ts';
import { type Command, givenInstead, settingFlags } from './command.ts';

export const serve: Command = {
  name: 'serve',
  summary:
    'Answers reports over HTTP until it is stopped (SIGTERM, or Ctrl+C). It switches to a new load without a pause.',
  usage: 'serve',
  flags: [
    {
      name: 'write',
      help: 'Take changes of records, too: the server then owns the data, in a working file of its own.',
    },
    {
      name: 'numbers',
      help: 'Answer the decimals of records as JSON numbers instead of strings. plumbline token create --numbers does so for one token.',
    },
    ...settingFlags(SERVER_SETTINGS),
  ],
  examples: [
    'serve --database company.duckdb',
    'serve --write --database company.duckdb',
    'serve --host 0.0.0.0 --port 8080 --tokens company.tokens.json --ops-port 9090',
  ],
  async run(positionals, flags, { stderr, now }) {
    if (positionals.length > 0) throw new AppError('usage', `serve takes no argument${givenInstead(positionals)}`);
    const config = readServerConfig(flags);
    const live = flags['write'] === true ? await openLiveSource(config, now()) : undefined;
    const server = await openServer(config, {
      now,
      live,
      numbers: flags['numbers'] === true,
      log: (lines) => void stderr.write(lines),
    });
    if (live) {
      stderr.write(
        `It owns the data in ${workingFile(config.database)}, and publishes to ${config.database} every ${config.publishEverySeconds} s when something changed.\n`,
      );
    }
    stderr.write(`Plumbline answers on ${server.url}, its documentation on ${server.opsUrl}/docs.\n`);
    if (server.isOpen) {
      stderr.write(
        `There are no tokens in ${config.tokens}, so it answers this machine alone, and everybody on it without asking who it is.\n`,
      );
    }
    const signal = await waitForSignal();
    stderr.write(`${signal}: stopping.\n`);
    // Queries cut off at the end still run in the engine and would keep the process alive.
    if (!(await server.close())) process.exit(0);
  },
};

/** Waits for SIGTERM or SIGINT. A second signal ends the process at once. */
function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}
