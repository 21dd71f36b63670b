import { createReadStream, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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
export async function reportByOracle(
  directory: string,
  start: string,
  end: string,
  cutoff: string,
): Promise<OracleReport> {
  const model = modelOf(await readDataset(directory));
  const lines: Record<string, number> = {};
  for (const { kind } of model.lines) lines[kind] = (lines[kind] ?? 0) + 1;
  const report = runModel(model, 'projects', { start_date: start, end_date: end, cutoff_date: cutoff });
  return { ...report, lines, json: JSON.stringify({ projects: report.rows, totals: report.totals }) };
}

async function readDataset(directory: string): Promise<Dataset> {
  const dataset: Record<string, RawRecord | RawRecord[]> = {};
  for (const file of readdirSync(directory)) {
    const path = join(directory, file);
    const resource = file.replace(/\.\w+$/, '');
    dataset[resource] = file.endsWith('.json') ? JSON.parse(await readFile(path, 'utf8')) : await readRecords(path);
  }
  return dataset;
}

/** Reads a record from each line: logged time of M is longer than the longest text of Node. */
async function readRecords(path: string): Promise<RawRecord[]> {
  const records: RawRecord[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (line !== '') records.push(JSON.parse(line));
  }
  return records;
}
