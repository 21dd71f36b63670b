import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadDataset } from '../../src/command/load.ts';
import { packageDirectory } from '../../src/config.ts';
import { openDatabase, type Value } from '../../src/database.ts';
import { loadCatalogue } from '../../src/report/catalogue.ts';
import { runReport } from '../../src/report/run.ts';
import type { Column } from '../../src/report/table.ts';
import type { EngineRow } from './compare.ts';
import type { Parameters } from './parameters.ts';

/** The real engine, as far as the agreement test needs it. */
export interface Engine {
  /** Every line of the ledger, canceled ones included, with the columns of 2.1. */
  ledger(): Promise<EngineRow[]>;
  /** With expand=phases each row has its phase rows under `phases`. */
  report(name: string, parameters: Parameters): Promise<{ rows: EngineRow[]; totals: EngineRow }>;
  close(): Promise<void>;
}

const catalogue = loadCatalogue(join(packageDirectory, 'reports'));

/** Loads a dataset directory. Dates are ISO texts, decimals texts with all their digits. */
export async function openEngine(directory: string): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-oracle-'));
  const file = join(folder, 'company.duckdb');
  await loadDataset(directory, file);
  const database = await openDatabase(file, { readOnly: true });
  return {
    ledger: () => database.rows<EngineRow>('SELECT * FROM marts.ledger'),
    async report(name, parameters) {
      const table = await runReport(database, catalogue, name, parameters);
      const { nested } = table;
      const rows: EngineRow[] = [];
      for await (const chunk of table.rows) rows.push(...chunk.map((row) => toObject(table.columns, row)));
      const phases = (nested?.rows ?? []).map((row) => toObject(nested?.columns ?? [], row));
      const withPhases = (row: EngineRow) => ({
        ...row,
        phases: phases.filter((phase) => nested?.by.every((name) => phase[name] === row[name])),
      });
      return { rows: nested ? rows.map(withPhases) : rows, totals: toObject(table.columns, table.totals ?? []) };
    },
    async close() {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

function toObject(columns: readonly Column[], row: readonly Value[]): EngineRow {
  return Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
}
