import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dataset, RawRecord } from '../../test/oracle/dataset.ts';
import { modelOf } from '../../test/oracle/ledger.ts';
import { type Report, runModel } from '../../test/oracle/reports.ts';

/*
 * Comparator of load + build + report: the oracle of the tests, written from the rules without SQL. Records in Maps,
 * loops over days, all numbers as Decimals, each ledger line an object in one array.
 */

/** The report of the oracle, with the number of lines of each kind that it makes. */
export interface OracleReport extends Report {
  readonly lines: Readonly<Record<string, number>>;
  /** Rows and totals as JSON; decimals as texts. */
  readonly json: string;
}

/** Returns the projects report of a window, of a dataset of NDJSON files. @param cutoff The last day whose actuals count. */
export function reportByOracle(directory: string, start: string, end: string, cutoff: string): OracleReport {
  const model = modelOf(readDataset(directory));
  const lines: Record<string, number> = {};
  for (const { kind } of model.lines) lines[kind] = (lines[kind] ?? 0) + 1;
  const report = runModel(model, 'projects', { start_date: start, end_date: end, cutoff_date: cutoff });
  return { ...report, lines, json: JSON.stringify({ projects: report.rows, totals: report.totals }) };
}

function readDataset(directory: string): Dataset {
  const read = (file: string): RawRecord | RawRecord[] => {
    const text = readFileSync(join(directory, file), 'utf8');
    if (file.endsWith('.json')) return JSON.parse(text) as RawRecord;
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as RawRecord]));
  };
  return Object.fromEntries(readdirSync(directory).map((file) => [file.replace(/\.\w+$/, ''), read(file)]));
}
