import type { Database } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import { findReport, type Report } from '../../../numbers/report/catalogue/index.ts';
import { FORMATS, type FormatName, isFormat } from '../../../numbers/write/index.ts';
import { parseAsked } from '../../ask/ask.ts';
import { askData } from '../../ask/open-data.ts';
import { writeAsked } from '../../ask/write-asked.ts';
import { readCatalogues } from '../../generation/own-reports.ts';
import type { MadeReport } from '../filed-reports.ts';
import { asOfState, periodOfState } from '../readable-state.ts';
import type { StateKey } from '../state-names.ts';
import type { StateRecord } from '../state-record.ts';

/**
 * Parses the name of a report and its format, such as projects.xlsx, for a report of the period of a state.
 * @throws AppError usage
 */
export function parseMadeReport(name: string): MadeReport {
  const [report = '', format = '', ...more] = name.split('.');
  if (isFormat(format) && !FORMATS[format].isForDisplay && more.length === 0) {
    const found = findReport(readCatalogues().full, report);
    return {
      name: `${found.name}.${format}`,
      make: (database, key, record) => makeReport(found, format, database, key, record),
    };
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
function makeReport(
  report: Report,
  format: FormatName,
  database: Database,
  key: StateKey,
  record: Pick<StateRecord, 'start_date' | 'end_date' | 'kind' | 'label' | 'kept_at' | 'day' | 'measures'>,
): Promise<AsyncIterable<string | Uint8Array>> {
  const data = { database, now: new Date(record.kept_at), asOf: asOfState(key, record), window: periodOfState(record) };
  return askData(data, async ({ context, complete }) => {
    const catalogues = readCatalogues();
    const query = parseAsked(catalogues, report.name, complete(report.name, {}), context, format);
    return (await writeAsked(catalogues, context, query, { format })).bytes;
  });
}
