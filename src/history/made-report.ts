import type { Database } from '../database/database.ts';
import { AppError } from '../error.ts';
import { readCatalogues } from '../generation/own-reports.ts';
import { allParametersOf, findReport } from '../report/catalogue/definitions.ts';
import { runTold } from '../report/insights/insights.ts';
import { readQuery } from '../report/run/run.ts';
import { readWorkbook } from '../report/workbook/workbook.ts';
import { FORMATS, type FormatName, isFormat, writeTable } from '../write/formats.ts';
import { writeXlsx } from '../write/xlsx/write.ts';
import { asOfState, fillWindow } from './read-as-of.ts';
import type { StateKey } from './state-names.ts';
import type { StateRecord } from './state-record.ts';

/** A report of a state's period, as its readers get it. */
export interface MadeReport {
  readonly report: string;
  readonly format: FormatName;
}

/**
 * Parses the name of a report and its format, such as projects.xlsx.
 * @throws AppError usage
 */
export function parseMadeReport(name: string): MadeReport {
  const [report = '', format = '', ...more] = name.split('.');
  if (isFormat(format) && !FORMATS[format].isForDisplay && more.length === 0) {
    return { report: findReport(readCatalogues().full, report).name, format };
  }
  const formats = Object.keys(FORMATS).filter((each) => isFormat(each) && !FORMATS[each].isForDisplay);
  throw new AppError('usage', `"${name}" is not a report and a format, such as projects.xlsx`, {
    hint: `The formats are ${formats.join(', ')}.`,
  });
}

/**
 * Makes a report as of a state, of its period.
 * @throws AppError usage for one that needs other parameters than a period.
 */
export async function makeReport(
  { report: name, format }: MadeReport,
  database: Database,
  key: StateKey,
  record: Pick<StateRecord, 'start_date' | 'end_date' | 'kind' | 'kept_at' | 'day' | 'measures'>,
): Promise<AsyncIterable<string | Uint8Array>> {
  const catalogues = readCatalogues();
  const taken = allParametersOf(catalogues.full, findReport(catalogues.full, name)).map((parameter) => parameter.name);
  const sent = fillWindow(record, {}, (parameter) => taken.includes(parameter));
  const options = { now: new Date(record.kept_at), asOf: asOfState(key, record), hasAliases: format === 'json' };
  const { context, query } = await readQuery(database, catalogues, name, sent, options);
  if (format === 'xlsx') return writeXlsx(await readWorkbook(context, query, catalogues.full));
  return writeTable(format, await runTold(context, query));
}
