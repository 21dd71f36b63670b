import { isPage, type WorkbookDefinition } from '../layout/workbook-definition.ts';
import { definitionError, findLine, readDefinition, WORKBOOK_FILE } from './definition.ts';
import type { Measure } from './measure-kinds.ts';

/** The rows of a sheet that the report of the workbook decides. */
const OWN_REPORTS = ['own', 'nested', 'further'];

/**
 * Reads and checks the definition of the workbook.
 * @param reports The names of all reports.
 * @throws AppError definition, with file and line, at the first error.
 */
export function loadWorkbook(
  directory: string,
  measures: ReadonlyMap<string, Measure>,
  reports: ReadonlySet<string>,
): WorkbookDefinition {
  const workbook = readDefinition(directory, WORKBOOK_FILE, 'workbook') as WorkbookDefinition;
  const check = (name: string, kind: string, isKnown: boolean) => {
    if (isKnown) return;
    const line = findLine(directory, WORKBOOK_FILE, name);
    throw definitionError(WORKBOOK_FILE, line, `names ${kind} "${name}", which doesn't exist`);
  };
  const sheets = workbook.sheets.flatMap((sheet) => (isPage(sheet) ? [] : [sheet]));
  for (const name of workbook.sizes) check(name, 'the measure', measures.has(name));
  for (const { report, links = [] } of sheets) {
    for (const name of [report].flat()) check(name, 'the report', OWN_REPORTS.includes(name) || reports.has(name));
    for (const name of links)
      check(
        name,
        'the sheet',
        sheets.some((sheet) => sheet.name === name),
      );
  }
  const { subjects, unpriced, bars } = workbook;
  for (const { measures: named, plus = [], minus = [], ratio = [], is_rate } of Object.values(subjects)) {
    for (const name of is_rate ? [] : Object.values(named)) check(name, 'the measure', measures.has(name));
    for (const name of [...plus, ...minus, ...ratio]) check(name, 'the subject', subjects[name] !== undefined);
  }
  for (const { hours } of unpriced) check(hours, 'the measure', measures.has(hours));
  for (const name of bars.flat()) check(name, 'the subject', subjects[name] !== undefined);
  return workbook;
}
