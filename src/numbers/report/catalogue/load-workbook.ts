import { isPage, type WorkbookDefinition } from '../layout/workbook-definition.ts';
import { definitionError, findLine, readDefinition, WORKBOOK_FILE } from './definition.ts';
import { type InsightRules, namesInCondition, thresholdsOf } from './insight-rule.ts';
import type { Measure } from './measure-kinds.ts';

/** The rows of a sheet that the report of the workbook decides. */
const OWN_REPORTS = ['own', 'nested', 'further'];

/** The rows of a list that are of no report by name: those of the own report, of a sheet, or of findings. */
const LISTED = ['own', 'outlook', 'causes'];

/** The rows of a memo's lists. */
const MEMO_ROWS = ['closing', 'warnings', 'totals', 'causes', 'events'];

/** The blocks of Summary that are no lists. */
const BLOCKS = ['title', 'empty', 'figures', 'charts', 'differences', 'further', 'bridge', 'about'];

/** The definitions that the workbook names. */
interface NamedDefinitions {
  readonly measures: ReadonlyMap<string, Measure>;
  readonly insights: InsightRules;
  /** The names of all reports. */
  readonly reports: ReadonlySet<string>;
}

/** The parts of a list that come before a point in the names of its facts; other names with one are of thresholds. */
const FACT_PARTS = ['total', 'others', 'average'];

/**
 * Reads and checks the definition of the workbook.
 * @throws AppError definition, with file and line, at the first error.
 */
export function loadWorkbook(directory: string, { measures, insights, reports }: NamedDefinitions): WorkbookDefinition {
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
  const { subjects, overview, unpriced, bars, estimates, summary } = workbook;
  for (const { measures: named, plus = [], minus = [], ratio = [], is_rate, part_of } of Object.values(subjects)) {
    for (const name of is_rate ? [] : Object.values(named)) check(name, 'the measure', measures.has(name));
    for (const name of [...plus, ...minus, ...ratio, ...(part_of ? [part_of] : [])])
      check(name, 'the subject', subjects[name] !== undefined);
  }
  for (const name of Object.keys(overview.subjects)) check(name, 'the subject', subjects[name] !== undefined);
  for (const name of [overview, overview.cells, overview.months].map(({ report }) => report))
    check(name, 'the report', reports.has(name));
  const { projects, people, row } = overview.headline;
  for (const name of [projects, people, row]) check(name, 'the measure', measures.has(name));
  for (const name of Object.keys(workbook.tentative)) check(name, 'the measure', measures.has(name));
  for (const { hours } of unpriced) check(hours, 'the measure', measures.has(hours));
  for (const name of bars.flat()) check(name, 'the subject', subjects[name] !== undefined);
  const { lists, phrases } = summary;
  for (const { amount, hours, without } of Object.values(estimates))
    for (const name of [amount, hours, without]) check(name, 'the measure', measures.has(name));
  const thresholds = thresholdsOf(insights);
  for (const { rows, where = [] } of [...Object.values(lists).flat(), ...Object.values(phrases)]) {
    for (const name of [where].flat().flatMap(namesInCondition)) {
      const isOfList = !name.includes('.') || FACT_PARTS.includes(name.split('.')[0] ?? '');
      check(name, 'the threshold', isOfList || thresholds.has(name));
    }
    check(rows.report, 'the report', LISTED.includes(rows.report) || reports.has(rows.report));
    for (const name of rows.measures ?? []) check(name, 'the measure', measures.has(name));
  }
  for (const { measures: drawn, sheet: of } of Object.values(workbook.bars_of).flat()) {
    for (const name of drawn) check(name, 'the measure', measures.has(name));
    if (of !== undefined)
      check(
        of,
        'the sheet',
        sheets.some(({ name }) => name === of),
      );
  }
  for (const name of workbook.memo.measures) check(name, 'the measure', measures.has(name));
  for (const { rows } of workbook.memo.lists) check(rows.report, 'the list', MEMO_ROWS.includes(rows.report));
  const blocks = [...BLOCKS, ...Object.keys(lists)];
  for (const name of [...Object.keys(workbook.bars_of), ...Object.keys(summary.orders)])
    check(name, 'the report', reports.has(name));
  for (const each of [summary, ...Object.values(summary.orders)].flatMap(({ first, last }) => [...first, ...last])) {
    const { block, unless = block } = typeof each === 'string' ? { block: each } : each;
    for (const name of [block, unless]) check(name, 'the block', blocks.includes(name));
  }
  return workbook;
}
