import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import {
  parseDuration,
  RETENTION_SETTINGS,
  readServerConfig,
  readSyncConfig,
  SERVER_SETTINGS,
  SERVER_SYNC_SETTINGS,
  type ServerConfig,
  type Settings,
  SIGN_IN_SETTINGS,
  type SyncConfig,
} from '../../base/config/index.ts';
import { AppError, waitForSignal } from '../../base/index.ts';
import { openReaderProcess, parseAddress } from '../../pull/index.ts';
import { assertServable, workingFile } from '../../store/generation/index.ts';
import { readWholeLog } from '../../store/history/index.ts';
import { type LiveSource, openLiveSource } from '../../store/live/index.ts';
import { syncRepeatedly } from '../../store/sync/index.ts';
import type { StartSync } from '../http/protocol/server-parts.ts';
import { openServer } from '../http/server.ts';
import { type Command, type Door, type Flags, givenInstead, settingFlags } from './command.ts';
import { servedRetentionOf } from './history/history-author.ts';

/**
 * The most garbage that a server holds, as a part of what it needs; V8 takes up to 300 on a machine with much memory.
 * A workbook of 62,400 changes takes 635 to 692 MiB instead of 790, and 5 % more CPU time. Unit: %.
 */
const MAX_GARBAGE_PERCENT = 100;

const serve: Command = {
  name: 'serve',
  summary:
    'Shows the reports as a page and answers them over HTTP until it is stopped (SIGTERM, or Ctrl+C). It switches to a new load without a pause.',
  usage: 'serve',
  flags: [
    {
      name: 'write',
      help: 'Accept changes of records, too. The server then owns the data, in its own working file.',
    },
    {
      name: 'numbers',
      help: 'Send records as clients of the live service expect them: hours as JSON numbers, rates and budgets as strings. plumbline token create --numbers does so for one token.',
    },
    {
      name: 'sync',
      argument: 'URL',
      help: 'Sync the records from this service, every 15 minutes or as often as --every says. Not with --write.',
    },
    {
      name: 'max-age',
      argument: 'DURATION',
      help: 'Answer /readyz with 503 if synced records are older than this, such as 2h.',
    },
    {
      name: 'tie-out',
      help: "With --sync: compare scheduled hours with the source's own reports after each run, as plumbline sync does, and log what differs.",
    },
    ...settingFlags(SERVER_SYNC_SETTINGS),
    ...settingFlags({ ...RETENTION_SETTINGS, ...SERVER_SETTINGS, ...SIGN_IN_SETTINGS }),
  ],
  examples: [
    'serve --database company.duckdb',
    'serve --write --database company.duckdb',
    'serve --host 0.0.0.0 --port 8080 --tokens company.tokens.json --ops-port 9090',
  ],
  async run(positionals, flags, { stderr, now, doors }) {
    if (positionals.length > 0) throw new AppError('usage', `serve takes no argument${givenInstead(positionals)}`);
    setFlagsFromString(`--heap-growing-percent=${MAX_GARBAGE_PERCENT}`);
    const config = readServerConfig(flags);
    const syncConfig = readSyncFlags(flags);
    const ownsData = flags['write'] === true || syncConfig !== undefined;
    const keepReplaced = servedRetentionOf(config, flags, now, (message) => stderr.print(message));
    if (ownsData) await readWholeLog(resolve(config.database));
    await assertServable(config.database);
    const live = ownsData ? await openLiveSource(config, now(), keepReplaced) : undefined;
    const maxAge = flags['max-age'];
    const server = await openServer(config, {
      now,
      live,
      flags,
      doors,
      sync: live && syncConfig && startSync(config, syncConfig, flags['tie-out'] === true, live),
      maxAgeSeconds: typeof maxAge === 'string' ? parseDuration('max-age', maxAge) : undefined,
      numbers: flags['numbers'] === true,
      log: (lines) => stderr.print(...lines.trimEnd().split('\n')),
    });
    if (live) {
      stderr.print(
        `It owns the data in ${workingFile(config.database)}, and publishes to ${config.database} every ${config.publishEverySeconds} s when something changed.`,
      );
    }
    stderr.print(
      `Plumbline answers on ${server.url}, its page on ${server.url}/, its documentation on ${server.opsUrl}/docs.`,
    );
    const obstacle = live ? undefined : server.findObstacle();
    if (obstacle !== undefined) stderr.print(`It isn't ready: ${obstacle}`);
    if (server.isOpen) {
      stderr.print(
        `There are no tokens in ${config.tokens}, so it only answers this machine, and everybody on it without authentication.`,
      );
    }
    const signal = await waitForSignal();
    stderr.print(`${signal}: stopping.`);
    // Queries cut off at the end still run in the engine and would keep the process alive.
    if (!(await server.close())) process.exit(0);
  },
};

/** Makes the command, with the settings of the doors. */
export function makeServeCommand(doors: readonly Door[]): Command {
  const settings: Settings = Object.assign({}, ...doors.map((door) => door.settings));
  return { ...serve, flags: [...serve.flags, ...settingFlags(settings)] };
}

/** Reads the flags of a sync; undefined without one. */
function readSyncFlags(flags: Flags): SyncConfig | undefined {
  const { sync: url } = flags;
  if (typeof url !== 'string') {
    if (flags['tie-out'] !== true) return undefined;
    throw new AppError('usage', '--tie-out is given without --sync: there is no source to compare with', {
      hint: 'Add --sync URL, or leave --tie-out out.',
    });
  }
  if (flags['write'] === true) {
    throw new AppError('usage', '--sync and --write are given together: a sync would undo what is written', {
      hint: 'Leave one of them out. Records that come from a service are changed there.',
    });
  }
  parseAddress(url);
  return readSyncConfig(url, flags, SERVER_SYNC_SETTINGS);
}

function startSync(
  config: ServerConfig,
  syncConfig: SyncConfig,
  tiesOut: boolean,
  { database }: LiveSource,
): StartSync {
  const { everySeconds = 0, settingsFile, besideFolder, ratesChange, ...sourceOptions } = syncConfig;
  const reader = openReaderProcess(sourceOptions);
  const memoryLimitMib = Math.floor(config.memoryLimitMib / 4);
  return (live, listener) =>
    syncRepeatedly(
      { reader, live, database, file: config.database, memoryLimitMib },
      { settingsFile, besideFolder, ratesChange, everySeconds, tiesOut },
      listener,
    );
}
