import { readConfig } from '../config/config.ts';
import type { OpenOptions } from '../database/database.ts';
import { AppError } from '../error.ts';
import { fileWithoutRates, isNamedWithoutRates } from '../live/generation-files.ts';
import { openCopy, openGeneration } from '../live/open-generation.ts';
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
    'Prints a summary of the database: its data version, the time and source of its load, the number of records, and the days of the ledger.',
  usage: 'status',
  flags: [],
  examples: ['status --database company.duckdb'],
  async run(positionals, flags, { stdout }) {
    if (positionals.length > 0) throw new AppError('usage', `status takes no argument${givenInstead(positionals)}`);
    const config = readConfig(flags);
    const options = { memoryLimitMib: config.memoryLimitMib };
    const database = await openGeneration(config.database, options);
    try {
      const [generation] = await database.rows<Record<string, string>>(
        'SELECT data_version, CAST(loaded_at AS VARCHAR) AS loaded_at, loaded_from FROM source.generation',
      );
      const counts = await database.rows<Count>(
        'SELECT resource, read, loaded, set_aside, duplicates FROM source.load_counts ORDER BY resource',
      );
      const lines = await database.rows<{ kind: string; count: number; first: string; last: string }>(
        `SELECT kind, COUNT(*) AS count, MIN(date) AS first, MAX(date) AS last FROM core.ledger GROUP BY kind ORDER BY kind`,
      );
      stdout.write(
        [
          `${config.database}: data version ${generation?.['data_version']}, loaded ${generation?.['loaded_at']} UTC from ${generation?.['loaded_from']}`,
          await describeCopy(config.database, generation?.['data_version'] ?? '', options),
          '',
          formatRow(['resource', 'read', 'loaded', 'set aside', 'duplicates']),
          ...counts.map((count) =>
            formatRow([count.resource, count.read, count.loaded, count.set_aside, count.duplicates]),
          ),
          '',
          formatRow(['ledger', 'lines', 'from', 'to', '']),
          ...lines.map(({ kind, count, first, last }) => formatRow([kind, count, first, last, ''])),
          '',
        ].join('\n'),
      );
    } finally {
      await database.close();
    }
  },
};

/** Describes the copy without rates: present, missing, or from another load. */
async function describeCopy(file: string, dataVersion: string, options: OpenOptions): Promise<string> {
  if (isNamedWithoutRates(file)) return 'This is the copy without rates.';
  try {
    await (await openCopy(file, options, dataVersion)).close();
    return `${fileWithoutRates(file)}: the same without rates`;
  } catch (error) {
    if (error instanceof AppError) return `${error.message}. ${error.hint}`;
    throw error;
  }
}

function formatRow([name, ...values]: readonly (string | number)[]): string {
  return `${String(name).padEnd(18)}${values.map((value) => String(value).padStart(12)).join('')}`.trimEnd();
}
