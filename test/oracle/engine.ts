import { join } from 'node:path';
import { packageDirectory } from '../../src/base/config/package.ts';
import { openDatabase, type Value } from '../../src/base/database/database.ts';
import { buildModels } from '../../src/numbers/model/build.ts';
import type { Baseline } from '../../src/numbers/report/catalogue/baseline.ts';
import { todayOf } from '../../src/numbers/report/catalogue/company-settings.ts';
import type { Column, PortfolioInsights, RowInsights } from '../../src/numbers/report/catalogue/table.ts';
import { explainNumber, type NumberExplanation } from '../../src/numbers/report/explain/explain-number.ts';
import { parseNumberQuery } from '../../src/numbers/report/request/number.ts';
import { attachBaseline } from '../../src/numbers/report/run/run.ts';
import { readCompany } from '../../src/numbers/report/source/read-company.ts';
import { ingestDirectory } from '../../src/records/ingest/ingest.ts';
import { stampGeneration } from '../../src/store/generation/open-generation.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { runReport } from '../reports.ts';
import type { EngineRow } from './compare.ts';
import type { Parameters } from './parameters.ts';

interface EngineReport {
  readonly rows: EngineRow[];
  readonly totals: EngineRow;
  readonly subtotals: { readonly level: number; readonly row: EngineRow }[];
}

export interface EngineTold {
  readonly rows: readonly { readonly row: EngineRow; readonly told: RowInsights }[];
  readonly portfolio: PortfolioInsights;
}

export interface Engine {
  /** Returns every line of the ledger, canceled ones included, with the columns of 2.1. */
  ledger(): Promise<EngineRow[]>;
  /** Runs a report. With expand=phases each row has its phase rows under `phases`. */
  report(name: string, parameters: Parameters): Promise<EngineReport>;
  /** Runs a report, and returns what is said about each row, and about all of them. */
  told(name: string, parameters: Parameters): Promise<EngineTold>;
  explain(number: Parameters): Promise<NumberExplanation>;
  /** Attaches a file as the baseline of reports whose parameters name one. */
  compareWith(file: string): Promise<void>;
  close(): Promise<void>;
}

const catalogues = readCatalogues();

/** Loads a dataset directory and builds its models in memory on one thread, as several run at once. */
export async function openEngine(directory: string, file = ':memory:'): Promise<Engine> {
  const database = await openDatabase(file, { settings: { threads: '1' } });
  await ingestDirectory(database, directory);
  await stampGeneration(database, directory, new Date());
  await buildModels(database, join(packageDirectory, 'sql'));
  let baseline: Baseline | undefined;
  return {
    async compareWith(kept) {
      const asOf = { state: 'kept', number: 1, kind: 'kept', keptAt: '', day: '', measures: {} };
      ({ baseline } = await attachBaseline(database, { file: kept, asOf }, await readCompany(database)));
    },
    ledger: () => database.rows<EngineRow>('SELECT * FROM core.lines'),
    async report(name, parameters) {
      const options = parameters.baseline === undefined ? {} : { baseline };
      const table = await runReport(database, catalogues.full, name, parameters, options);
      const { nested } = table;
      const rows: EngineRow[] = [];
      for await (const chunk of table.rows) rows.push(...chunk.map((row) => toObject(table.columns, row)));
      const phases = (nested?.rows ?? []).map((row) => toObject(nested?.columns ?? [], row));
      const withPhases = (row: EngineRow) => ({
        ...row,
        phases: phases.filter((phase) => nested?.by.every((name) => phase[name] === row[name])),
      });
      return {
        rows: nested ? rows.map(withPhases) : rows,
        totals: toObject(table.columns, table.totals ?? []),
        subtotals: (table.subtotals ?? []).map(({ level, values }) => ({
          level,
          row: toObject(table.columns, values),
        })),
      };
    },
    async told(name, parameters) {
      const table = await runReport(database, catalogues.full, name, { ...parameters, insights: '1' });
      const rows: EngineTold['rows'][number][] = [];
      for await (const chunk of table.rows) {
        for (const values of chunk) {
          const told = table.insightsOf?.(values);
          if (told) rows.push({ row: toObject(table.columns, values), told });
        }
      }
      const { insights: portfolio } = table.meta;
      if (!portfolio) throw new Error(`The report ${name} says nothing about its rows`);
      return { rows, portfolio };
    },
    async explain(number) {
      const company = await readCompany(database);
      const now = new Date();
      const options = number.baseline === undefined ? {} : { baseline };
      const query = parseNumberQuery(catalogues, number, { company, today: todayOf(company, now), ...options });
      return explainNumber({ database, company, now, ...options }, query);
    },
    close: () => database.close(),
  };
}

function toObject(columns: readonly Column[], row: readonly Value[]): EngineRow {
  return Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
}
