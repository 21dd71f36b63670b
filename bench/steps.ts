import { join } from 'node:path';
import { packageDirectory } from '../src/base/config/package.ts';
import { type Database, openDatabase } from '../src/base/database/database.ts';
import { buildModels } from '../src/numbers/model/build.ts';
import { loadCatalogues } from '../src/numbers/report/catalogue/load-catalogue.ts';
import type { Catalogues } from '../src/numbers/report/catalogue/rates.ts';
import { writeJson } from '../src/numbers/write/json-writer.ts';
import { ingestDirectory } from '../src/records/ingest/ingest.ts';
import { loadMemoryMib, sumFileBytes } from '../src/records/ingest/load-memory.ts';
import { stampGeneration } from '../src/store/generation/open-generation.ts';
import { publishGeneration } from '../src/store/generation/publish.ts';
import { type Measured, repeat } from './measure.ts';
import { runReport } from './reports.ts';

/*
 * The engine's side of the benchmark. Each step opens and closes its own resources.
 */

export async function loadStep(directory: string, databaseFile: string): Promise<void> {
  await publishGeneration(
    databaseFile,
    {},
    {
      generation: async (database) => {
        await ingestDirectory(database, directory);
        await stampGeneration(database, directory, new Date());
      },
    },
  );
}

/** Builds and checks all models in a loaded file, with the memory of a load. Returns the number of lines. */
export async function buildStep(databaseFile: string): Promise<number> {
  const database = await openDatabase(databaseFile, { memoryLimitMib: loadMemoryMib(await readBytes(databaseFile)) });
  try {
    await buildModels(database, join(packageDirectory, 'sql'));
    await database.run('CHECKPOINT');
    const [row] = await database.rows<{ count: number }>('SELECT COUNT(*) AS count FROM core.ledger');
    return row?.count ?? 0;
  } finally {
    await database.close();
  }
}

/** Measures the projects report of a window as JSON text, on one open database. */
export async function reportStep(
  databaseFile: string,
  start: string,
  end: string,
  runs: number,
): Promise<Measured<string>> {
  const database = await openDatabase(databaseFile, { readOnly: true });
  try {
    const catalogue = readCatalogues();
    return await repeat(runs, () => writeReport(database, catalogue, start, end));
  } finally {
    await database.close();
  }
}

/** Runs load, build and report. interfaces/publish.ts measures the rest of a load's publication. */
export async function allStep(directory: string, databaseFile: string, start: string, end: string): Promise<void> {
  const memoryLimitMib = loadMemoryMib(await sumFileBytes(directory));
  await publishGeneration(
    databaseFile,
    { memoryLimitMib },
    {
      generation: async (database) => {
        await ingestDirectory(database, directory);
        await stampGeneration(database, directory, new Date());
        await buildModels(database, join(packageDirectory, 'sql'));
      },
    },
  );
  const database = await openDatabase(databaseFile, { readOnly: true });
  try {
    await writeReport(database, readCatalogues(), start, end);
  } finally {
    await database.close();
  }
}

function readCatalogues(): Catalogues {
  return loadCatalogues(join(packageDirectory, 'reports'));
}

async function writeReport(database: Database, catalogues: Catalogues, start: string, end: string): Promise<string> {
  const table = await runReport(database, catalogues, 'projects', { start_date: start, end_date: end });
  let text = '';
  for await (const piece of writeJson(table)) text += piece;
  return text;
}

async function readBytes(databaseFile: string): Promise<number> {
  const database = await openDatabase(databaseFile, { readOnly: true });
  try {
    const [row] = await database.rows<{ bytes: number }>(
      'SELECT CAST(SUM(bytes) AS BIGINT) AS bytes FROM source.files',
    );
    return row?.bytes ?? 0;
  } finally {
    await database.close();
  }
}

export const engineLedger = 'marts.ledger';
