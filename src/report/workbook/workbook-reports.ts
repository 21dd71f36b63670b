import { type Bridge, measuresOfBridge } from '../catalogue/bridges.ts';
import { type Catalogue, findReport, type Report } from '../catalogue/catalogue.ts';
import { present, queryOther, regroup, reselect, withoutNested } from '../request/change-query.ts';
import type { Presentation, Query } from '../request/query.ts';
import { queryEarned } from './earned-sheet.ts';

export const [LINES, QUALITY, PIVOT, MONTHS, BRIDGE] = ['lines', 'data-quality', 'pivot', 'months', 'bridge'];

/** Codes that a sheet shows in words: the column of each, and the column of its word. */
const WORDS: Readonly<Record<string, string>> = { people_type_id: 'people_type' };

/** The queries for the tables of a workbook, all of the same lines. */
export interface WorkbookQueries {
  readonly main: Query;
  readonly nested: Query | undefined;
  readonly months: Query | undefined;
  /** The requested bridge by project; that of profit if the report shows profit. */
  readonly bridge: Query | undefined;
  /** Earned value by project or phase, if the report shows any. */
  readonly earned: Query | undefined;
  readonly lines: Query | undefined;
  readonly quality: Query;
  /** The name of the sheet with the report's own rows. */
  readonly ownSheet: string;
  /** The queries of further reports that the workbook has. */
  readonly further: readonly Query[];
  /** The lines are sorted by project, because each row of the report belongs to one. */
  readonly isByProject: boolean;
}

/** Derives the queries of a workbook from the query of its report. */
export function queryWorkbook(query: Query): WorkbookQueries {
  const { report } = query.selection;
  const asked = query.understood['bridge'] as Bridge | undefined;
  const bridge = asked ?? (showsProfit(query) ? 'profit' : undefined);
  const catalogue = deriveReports(query.selection.catalogue, report, bridge);
  const shown = isChosen(query.presentation) ? report : inWords(report);
  const main = reselect(withoutNested(query), { catalogue, report: shown });
  const queryOf = (name: string): Query =>
    name === report.name ? main : queryOther(main, findReport(main.selection.catalogue, name));
  const hasLines = report.name !== QUALITY && !report.compares;
  const lines = queryOf(LINES);
  const isByProject = report.columns?.['project_id'] !== undefined;
  return {
    main,
    nested: report.nested === undefined ? undefined : queryOf(report.nested),
    months: hasLines ? queryOf(MONTHS) : undefined,
    bridge: hasLines && bridge ? bridgeOf(queryOf(BRIDGE), bridge) : undefined,
    earned: queryEarned(main),
    lines: !hasLines ? undefined : isByProject ? present(lines, { sort: [BY_PROJECT] }) : lines,
    isByProject,
    ownSheet: findReport(catalogue, report.sheets?.[0] ?? report.name).label,
    further: (report.sheets ?? []).slice(1).map((name) => queryFurther(main, name)),
    quality: queryOf(QUALITY),
  };
}

/** Returns the query of a further report, whose filter of active ones is that of the workbook's own. */
function queryFurther(main: Query, name: string): Query {
  const { report, catalogue } = main.selection;
  const active = report.active === undefined ? {} : { active: report.active };
  return queryOther(main, { ...inWords(findReport(catalogue, name)), ...active });
}

/** Tests whether a request names columns, which then stay as they are. */
function isChosen({ fields, sort }: Presentation): boolean {
  return fields !== undefined || (sort ?? []).some(({ column }) => WORDS[column] !== undefined);
}

/** Tests whether a query shows both ends of the bridge's difference, which its reader may see. */
function showsProfit({ selection: { report }, grouping, presentation: { fields } }: Query): boolean {
  const isShown = grouping.measures.some(({ name }) => name === 'actual_profit');
  return report.relation === undefined && isShown && (fields?.includes('actual_profit') ?? true);
}

function bridgeOf(query: Query, bridge: Bridge): Query {
  const { measures } = query.selection.catalogue;
  return regroup(query, { measures: measuresOfBridge(bridge).flatMap((name) => measures.get(name) ?? []) });
}

const LABELS: Readonly<Record<Bridge, string>> = { cost: 'Cost', fees: 'Fee', profit: 'Profit' };

const BY_PROJECT = { column: 'project_id', isDescending: false };

/** Adds the report by month and the bridge to the catalogue, and gives lines and findings the report's filters. */
function deriveReports(catalogue: Catalogue, report: Report, bridge: Bridge | undefined): Catalogue {
  const active = report.active === undefined ? {} : { active: report.active };
  const pivot = findReport(catalogue, PIVOT);
  const months: Report = {
    ...pivot,
    name: MONTHS,
    label: 'Months',
    row: 'A month of the window, with lines or without.',
    rows: ['month'],
    has_all_periods: true,
    lines: report.lines ?? pivot.lines ?? [],
    measures: (report.measures ?? ['hours', 'cost', 'fees', 'expenses', 'revenue', 'profit']).filter(
      (group) => group !== 'budget',
    ),
    parameters: [],
    ...active,
  };
  const bridged: Report = {
    ...pivot,
    name: BRIDGE,
    label: `${LABELS[bridge ?? 'profit']} bridge`,
    row: 'A project with any line but canceled ones in the window.',
    rows: ['project'],
    columns: { project_id: 'project.project_id', name: 'project.project' },
    sort: ['name', 'project_id'],
    lines: report.lines ?? pivot.lines ?? [],
    measures: ['bridge'],
    parameters: [],
    ...active,
  };
  const listed = [LINES, QUALITY].map((name) => ({ ...findReport(catalogue, name), ...active }));
  const reports = new Map([
    ...catalogue.reports,
    ...[months, bridged, ...listed].map((each) => [each.name, each] as const),
  ]);
  return { ...catalogue, reports };
}

/** Replaces codes of a report's columns by their words. */
function inWords(report: Report): Report {
  if (!report.columns) return report;
  const columns = Object.entries(report.columns).map(([column, target]) => {
    const word = WORDS[column];
    return word === undefined ? [column, target] : [word, target.replace(/\b\w+$/, word)];
  });
  return { ...report, columns: Object.fromEntries(columns) };
}
