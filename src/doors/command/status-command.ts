import { resolve } from 'node:path';
import { parseDuration, readConfig } from '../../base/config/index.ts';
import { type OpenOptions, zoned } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { readCompany } from '../../numbers/report/source/index.ts';
import {
  assertFresh,
  type Freshness,
  fileWithoutRates,
  freshnessOf,
  hasRecords,
  openPublished,
  openReadable,
  readSyncStatus,
  type SyncStatus,
  syncedAtOf,
} from '../../store/generation/index.ts';
import { describeChangedClosings, describeRoom } from '../../store/history/index.ts';
import { NO_DATASET } from '../../store/live/index.ts';
import { type Command, givenInstead } from './command.ts';

interface Count {
  readonly resource: string;
  readonly read: number;
  readonly loaded: number;
  readonly set_aside: number;
  readonly duplicates: number;
}

export const status: Command = {
  name: 'status',
  summary:
    'Prints a summary of the database: its data version, the time and source of its load, the number of records, and the days of the ledger. Fails where a server could not answer from it.',
  usage: 'status',
  flags: [
    {
      name: 'max-age',
      argument: 'DURATION',
      help: 'Fail if the last good sync, or the load if there was none, is longer ago than this, such as 2h.',
    },
  ],
  examples: ['status --database company.duckdb', 'status --max-age 2h --database company.duckdb'],
  async run(positionals, flags, { stdout, now }) {
    if (positionals.length > 0) throw new AppError('usage', `status takes no argument${givenInstead(positionals)}`);
    const config = readConfig(flags);
    const options = { memoryLimitMib: config.memoryLimitMib };
    const synced = readSyncStatus(config.database);
    const { 'max-age': maxAge } = flags;
    const maxAgeSeconds = typeof maxAge === 'string' ? parseDuration('max-age', maxAge) : undefined;
    const database = await openReadable(config.database, options);
    let freshness: Freshness;
    let copyFault: unknown;
    try {
      const isWhole = await hasRecords(database);
      copyFault = isWhole ? await findCopyFault(config.database, options) : undefined;
      const company = await readCompany(database);
      const syncedAt = syncedAtOf(company, synced);
      freshness = freshnessOf(company, synced);
      const [generation] = await database.rows<Record<string, string>>(
        `SELECT data_version, ${zoned('loaded_at')} AS loaded_at, loaded_from FROM source.generation`,
      );
      const counts = await database.rows<Count>(
        'SELECT resource, read, loaded, set_aside, duplicates FROM source.load_counts ORDER BY resource',
      );
      const lines = await database.rows<{ kind: string; count: number; first: string; last: string }>(
        `SELECT kind, COUNT(*) AS count, MIN(date) AS first, MAX(date) AS last FROM core.ledger GROUP BY kind ORDER BY kind`,
      );
      stdout.print(
        ...[
          `${config.database}: data version ${generation?.['data_version']}, ${describeLoad(generation ?? {})}`,
          ...(isWhole ? [] : ['This is a copy without rates.']),
          ...(isWhole && !copyFault ? [`${fileWithoutRates(config.database)}: the same without rates`] : []),
          ...(synced ? describeSync(synced, syncedAt) : []),
          ...(isWhole ? await describeRoom(resolve(config.database)) : []),
          ...(isWhole ? await describeChangedClosings(resolve(config.database), database, now()) : []),
          '',
          formatRow(['resource', 'read', 'loaded', 'set aside', 'duplicates']),
          ...counts.map((count) =>
            formatRow([count.resource, count.read, count.loaded, count.set_aside, count.duplicates]),
          ),
          '',
          formatRow(['ledger', 'lines', 'from', 'to', '']),
          ...lines.map(({ kind, count, first, last }) => formatRow([kind, count, first, last, ''])),
        ],
      );
    } finally {
      await database.close();
    }
    if (copyFault) throw copyFault;
    if (maxAgeSeconds !== undefined) assertFresh(freshness, maxAgeSeconds, now());
  },
};

/** Describes the load; records that come from a service alone were never loaded. */
function describeLoad({ loaded_at, loaded_from }: Readonly<Record<string, string>>): string {
  return loaded_from === NO_DATASET ? `changed ${loaded_at}` : `loaded ${loaded_at} from ${loaded_from}`;
}

function describeSync({ source, synced_at, last_run }: SyncStatus, syncedAt: string | null): string[] {
  const good = syncedAt === null ? 'never synced' : `synced ${syncedAt}`;
  const waiting = `The records of ${synced_at} are not published yet`;
  const failure = `The last sync, at ${last_run.finished_at}, failed: ${last_run.message}`;
  return [
    `Records from ${source}, ${good}`,
    ...(synced_at === syncedAt ? [] : [waiting]),
    ...(last_run.result === 'failed' ? [failure] : []),
    ...last_run.notes,
  ];
}

/** Returns the error that keeps a server from answering without rates; undefined if nothing does. */
function findCopyFault(file: string, options: OpenOptions): Promise<unknown> {
  return openPublished(file, options).then(
    ({ close }) => close(),
    (error: unknown) => error,
  );
}

function formatRow([name, ...values]: readonly (string | number)[]): string {
  return `${String(name).padEnd(18)}${values.map((value) => String(value).padStart(12)).join('')}`.trimEnd();
}
