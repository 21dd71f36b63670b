import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, RETENTION_SETTINGS, readConfig, readSyncConfig, SYNC_SETTINGS } from '../../base/config/index.ts';
import { AppError, messageOf, removeOnSignal, waitForSignal } from '../../base/index.ts';
import { openReaderProcess, parseAddress, type SourceReader } from '../../pull/index.ts';
import { assertServable, LARGE_LOSS, removeDatabase, workingFile } from '../../store/generation/index.ts';
import { readWholeLog } from '../../store/history/index.ts';
import { openLiveSource } from '../../store/live/index.ts';
import { type SyncOptions, type SyncParts, syncOnce, syncRepeatedly } from '../../store/sync/index.ts';
import { tieOutError } from '../../store/tie-out/index.ts';
import { type Command, type CommandContext, formatAppError, givenInstead, settingFlags } from './command.ts';
import { retentionOf } from './history/history-author.ts';
import { openProgress } from './progress.ts';
import { formatRun } from './sync-summary.ts';
import { openSyncedData } from './synced-data.ts';

export const sync: Command = {
  name: 'sync',
  summary:
    'Brings the records of a service that speaks the scheduling API into the database: everything the first time, then what has changed.',
  usage: 'sync URL',
  flags: [
    ...settingFlags({ ...SYNC_SETTINGS, ...RETENTION_SETTINGS }),
    { name: 'full', help: 'Read everything again. This happens automatically once a week.' },
    { name: 'dry-run', help: 'Read the source, print what would change, and change nothing.' },
    {
      name: 'tie-out',
      help: "After the run, compare the scheduled hours of the last full month by person and by project with the source's own reports, and fail if they differ.",
    },
    {
      name: 'accept-shrink',
      help: `Accept that ${LARGE_LOSS}, are gone; otherwise the run stops.`,
    },
  ],
  examples: [
    'sync https://api.example.com/v3 --database company.duckdb',
    'sync https://api.example.com/v3 --every 15m --token-file /run/secrets/source-token',
    'sync https://api.example.com/v3 --with own/ --every 15m',
    'sync https://api.example.com/v3 --rates-change from_today --every 15m',
    'sync https://api.example.com/v3 --dry-run',
    'sync https://api.example.com/v3 --tie-out --database company.duckdb',
  ],
  async run(positionals, flags, context) {
    const [url] = positionals;
    if (url === undefined || positionals.length > 1) {
      throw new AppError('usage', `sync takes one URL${givenInstead(positionals)}`, {
        hint: 'For example: plumbline sync https://api.example.com/v3',
      });
    }
    const config = readConfig(flags);
    parseAddress(url);
    const { everySeconds, settingsFile, besideFolder, ratesChange, ...sourceOptions } = readSyncConfig(url, flags);
    const keepReplaced = retentionOf(config, flags, context.now);
    const reader = openReaderProcess(sourceOptions);
    const options = {
      isFull: flags['full'] === true,
      isDry: flags['dry-run'] === true,
      acceptsShrink: flags['accept-shrink'] === true,
      settingsFile,
      besideFolder,
      ratesChange,
      tiesOut: flags['tie-out'] === true,
    };
    if (options.isDry && options.tiesOut) {
      throw new AppError('usage', '--dry-run and --tie-out are given together: a dry run brings no hours to compare', {
        hint: 'Leave one of them out.',
      });
    }
    if (options.isDry && everySeconds !== undefined) {
      throw new AppError('usage', '--dry-run and --every are given together: a dry run is a single one', {
        hint: 'Leave one of them out.',
      });
    }
    try {
      // The process starts while the database is opened.
      reader.start();
      await runWith(reader, config, { ...options, everySeconds, keepReplaced }, context);
    } finally {
      await reader.close();
    }
  },
};

interface SyncCommandOptions extends SyncOptions {
  readonly isDry: boolean;
  readonly everySeconds: number | undefined;
  readonly keepReplaced: ReturnType<typeof retentionOf>;
}

async function runWith(
  reader: SourceReader,
  config: Config,
  { everySeconds, keepReplaced, ...options }: SyncCommandOptions,
  context: CommandContext,
): Promise<void> {
  const { stderr, now } = context;
  const work = workingFile(config.database);
  // With a broken log, data isn't owned.
  await readWholeLog(resolve(config.database));
  await assertServable(config.database);
  const isNew = !existsSync(work);
  const never = new AbortController().signal;
  // A wrong address or token must not leave a working file behind. With one, the failure is noted there.
  if (isNew) await reader.check(never);
  const discarded = options.isDry && isNew ? [work, `${work}.lock`] : [];
  for (const file of discarded) removeOnSignal(file);
  const opened = await openSyncedData(await openLiveSource(config, now(), keepReplaced), context, {
    goesOn: everySeconds !== undefined,
  });
  const progress = openProgress(stderr.stream);
  const parts: SyncParts = {
    reader,
    live: opened.live,
    database: opened.source.database,
    file: config.database,
    memoryLimitMib: Math.floor(config.memoryLimitMib / 4),
    onProgress: ({ resource, read, total }) =>
      progress.update(`reading ${resource}, ${read}${total ? ` of ${total}` : ''}`, total ? read / total : 0),
  };
  try {
    if (everySeconds !== undefined) await runUntilStopped(parts, { ...options, everySeconds }, context);
    else {
      const runs = await syncOnce(parts, options, never);
      progress.close();
      for (const run of runs) {
        stderr.print(...formatRun(run, options.isDry));
        const differing = run.tieOut && tieOutError(run.tieOut);
        if (differing) throw differing;
      }
    }
  } finally {
    progress.close();
    await opened.close();
    // A dry run leaves nothing behind, and a working file would keep the database from being loaded.
    for (const file of discarded) await removeDatabase(file);
  }
}

async function runUntilStopped(
  parts: SyncParts,
  options: Parameters<typeof syncRepeatedly>[1],
  { stderr }: CommandContext,
): Promise<void> {
  const syncFailed = (error: unknown) => {
    stderr.print(...(error instanceof AppError ? formatAppError(error) : [`Error: ${messageOf(error)}`]));
  };
  const runs = syncRepeatedly(parts, options, {
    synced(run) {
      stderr.print(...formatRun(run, false));
      const differing = run.tieOut && tieOutError(run.tieOut);
      if (differing) syncFailed(differing);
    },
    syncFailed,
  });
  stderr.print(`${await waitForSignal()}: stopping.`);
  await runs.close();
}
