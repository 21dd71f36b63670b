import { type Bridge, measuresOfBridge } from '../catalogue/bridges.ts';
import { findReport, measuresOf, type Report } from '../catalogue/catalogue.ts';
import { countedIn, isEarned, isOfLines } from '../catalogue/measure-meaning.ts';
import { isOfClosings } from '../kinds/billing.ts';
import { needsBills } from '../kinds/kinds.ts';
import {
  isPage,
  type ReportAs,
  type SheetCondition,
  type SheetDefinition,
  type WorkbookDefinition,
} from '../layout/workbook-definition.ts';
import { present, queryOther, regroup, reselect, withoutNested } from '../request/change-query.ts';
import type { Presentation, Query, Selection } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { keptClosings, whyNotRestated } from '../source/booked-lines.ts';
import type { KeptTable } from './kept-rows.ts';
import { findWindow } from './other-windows.ts';

export interface PlannedSheet {
  readonly definition: SheetDefinition;
  readonly name: string;
  readonly query: Query;
  /** True if the query is that of the workbook's own report. */
  readonly isOwn: boolean;
}

/** A sheet with its rows in memory; of one that streams, nothing is read yet. */
export interface ReadSheet extends PlannedSheet {
  readonly kept: KeptTable | undefined;
}

/** The sheets of a workbook with their queries, all of the same lines. */
export interface BookPlan {
  /** The query of the report, whose columns are in words. */
  readonly main: Query;
  readonly sheets: readonly PlannedSheet[];
  /** True if each row of the report belongs to one project. */
  readonly isByProject: boolean;
}

/** The context of a sheet: the query of the report, and the bridge that is asked for or shown. */
interface Asked {
  readonly context: ReportContext;
  readonly main: Query;
  readonly bridge: Bridge | undefined;
}

/** A condition of sheets, and what the query of one is beside its report. */
interface ConditionRule {
  fits(asked: Asked): boolean;
  complete?(query: Query, asked: Asked): Query;
}

const CONDITIONS: Readonly<Record<SheetCondition, ConditionRule>> = {
  sums: { fits: ({ main }) => main.selection.report.relation === undefined },
  list: {
    // Findings have a sheet of their own in every workbook.
    fits: ({ main: { selection } }) =>
      selection.report.relation !== undefined &&
      selection.catalogue.workbook.sheets.every((sheet) => isPage(sheet) || sheet.report !== selection.report.name),
  },
  subtotals: { fits: ({ main }) => main.grouping.hasSubtotals },
  lines: { fits: ({ main }) => hasLines(main.selection.report) },
  pack: { fits: ({ main }) => main.selection.report.sheets !== undefined },
  bridge: {
    fits: ({ main, bridge }) => hasLines(main.selection.report) && bridge !== undefined,
    complete(query, { bridge = 'profit' }) {
      const { measures } = query.selection.catalogue;
      return regroup(query, { measures: measuresOfBridge(bridge).flatMap((name) => measures.get(name) ?? []) });
    },
  },
  earned: {
    fits: ({ main: { selection, grouping } }) =>
      selection.report.relation === undefined && grouping.measures.some(isEarned),
    complete(query, { main }) {
      const { catalogue, earned } = query.selection;
      const measures = [...catalogue.measures.values()].filter(isEarned).map((measure) => countedIn(measure, earned));
      return regroup(query, { measures, includesEmpty: main.grouping.includesEmpty });
    },
  },
  differences: {
    fits: ({ main: { selection, grouping } }) =>
      selection.report.compares === true && !isOfDifference(selection.report) && grouping.measures.some(isOfLines),
    complete(query, { main }) {
      const measures = main.grouping.measures.filter(isOfLines).slice(0, 1);
      const understood = { ...query.understood, measure: measures[0]?.name ?? '' };
      return { ...query, grouping: { ...query.grouping, measures }, compared: main.compared, understood };
    },
  },
};

/** Returns the query of a workbook: one of changes leaves out rows without a difference, unless the request says otherwise (X9). */
export function queryOfBook(query: Query): Query {
  const { compared, selection, understood } = query;
  const takesIt = selection.report.parameters?.includes(ONLY_CHANGED) ?? false;
  if (!compared || !takesIt || compared.isOnlyChanged !== undefined) return query;
  return {
    ...query,
    compared: { ...compared, isOnlyChanged: true },
    understood: { ...understood, [ONLY_CHANGED]: '1' },
  };
}

const ONLY_CHANGED = 'only_changed';

export function planBook(context: ReportContext, query: Query): BookPlan {
  const { catalogue, report } = query.selection;
  const { words, sheets } = catalogue.workbook;
  const shown = isChosen(query.presentation, words) ? report : inWords(report, words);
  const main = reselect(withoutNested(query), { report: shown });
  const requested = query.understood['bridge'] as Bridge | undefined;
  const asked = { context, main, bridge: requested ?? (showsProfit(query) ? ('profit' as const) : undefined) };
  const isByProject = report.columns?.['project_id'] !== undefined;
  return {
    main,
    isByProject,
    sheets: sheets.flatMap((sheet) => (isPage(sheet) ? [] : planSheets(sheet, asked, isByProject))),
  };
}

/** Returns the sheets of a definition: none if its condition isn't met, several for further reports. */
function planSheets(definition: SheetDefinition, asked: Asked, isByProject: boolean): PlannedSheet[] {
  const rule = definition.when && CONDITIONS[definition.when];
  const { context, main, bridge = 'profit' } = asked;
  const window = definition.window && findWindow(main.selection, definition.window, context);
  if ((rule && !rule.fits(asked)) || (definition.window && !window)) return [];
  const { catalogue, report: own } = main.selection;
  return reportsOf(definition, main).map((name): PlannedSheet => {
    const isOwn = name === own.name && !definition.as && !rule?.complete;
    const report = findReport(catalogue, name);
    const other = isOwn ? main : queryOther(main, shownAs(report, definition.as, main));
    const completed = isOwn ? main : withoutUnkept(rule?.complete?.(other, asked) ?? other);
    const query = window ? reselect(completed, window) : completed;
    const { label = definition.report === 'own' ? ownLabel(main) : report.label, has_lines } = definition;
    return {
      definition,
      name: typeof label === 'string' ? label : label[bridge],
      query: has_lines && isByProject ? present(query, { sort: [BY_PROJECT] }) : query,
      isOwn,
    };
  });
}

const BY_PROJECT = { column: 'project_id', isDescending: false };

/** Returns the names of the reports whose rows a definition shows. */
function reportsOf({ report: of }: SheetDefinition, { selection, grouping }: Query): string[] {
  const { report, catalogue } = selection;
  if (of === 'own') return [report.name];
  if (of === 'nested') return report.nested === undefined ? [] : [report.nested];
  if (of === 'further') return (report.sheets ?? []).slice(1).filter((name) => isKnown(selection, name));
  if (typeof of === 'string') return [of];
  const isGrouped = (name: string) => grouping.dimensions.some((each) => each.name === innermost(name));
  const innermost = (name: string) => findReport(catalogue, name).rows?.at(-1);
  return [of.find(isGrouped) ?? of.at(-1) ?? ''];
}

/** Tests whether a report has numbers: one of bills has none in a company without any (M6). */
function isKnown({ catalogue, bills }: Selection, name: string): boolean {
  return bills !== 'none' || !measuresOf(catalogue, findReport(catalogue, name)).some(needsBills);
}

/** Leaves out positions as closings have kept them where none has before the window, so that a sheet has no empty columns. */
function withoutUnkept(query: Query): Query {
  const { selection, grouping } = query;
  const [first] = keptClosings(selection);
  if (whyNotRestated(query) === undefined && first && first.endDate < selection.startDate) return query;
  const known = grouping.measures.filter((measure) => !isOfClosings(measure));
  if (known.length === grouping.measures.length) return query;
  return regroup(query, { measures: known }, query.presentation);
}

/** Returns a report in the words of a workbook, with the filters that decide which rows its own report has. */
function shownAs(report: Report, as: ReportAs | undefined, { selection }: Query): Report {
  const { report: own, catalogue } = selection;
  const filters = {
    ...(own.active !== undefined && { active: own.active }),
  };
  const worded = inWords(report, catalogue.workbook.words);
  if (!as) return { ...worded, ...filters };
  const { without = [], measures = [], ...changed } = as;
  const groups = (own.measures ?? measures).filter((group) => !without.includes(group));
  const lines = own.lines ?? report.lines ?? [];
  return { ...worded, ...changed, lines, measures: groups, parameters: [], ...filters };
}

function ownLabel({ selection: { report, catalogue } }: Query): string {
  return findReport(catalogue, report.sheets?.[0] ?? report.name).label;
}

function hasLines({ lines, contributions, compares }: Report): boolean {
  return !compares && (lines !== undefined || contributions !== undefined);
}

/** Tests for the report of the lines behind one difference. */
function isOfDifference({ parameters }: Report): boolean {
  return parameters?.includes('measure') ?? false;
}

/** Tests whether a request names columns of codes, which then stay as they are. */
function isChosen({ fields, sort }: Presentation, words: WorkbookDefinition['words']): boolean {
  return fields !== undefined || (sort ?? []).some(({ column }) => words[column] !== undefined);
}

/** Tests whether a query shows both ends of the bridge's difference, which its reader may see. */
function showsProfit({ selection: { report }, grouping, presentation: { fields } }: Query): boolean {
  const isShown = grouping.measures.some(({ name }) => name === 'actual_profit');
  return report.relation === undefined && isShown && (fields?.includes('actual_profit') ?? true);
}

/** Replaces codes of a report's columns by their words. */
function inWords(report: Report, words: WorkbookDefinition['words']): Report {
  if (!report.columns) return report;
  const columns = Object.entries(report.columns).map(([column, target]) => {
    const word = words[column];
    return word === undefined ? [column, target] : [word, target.replace(/\b\w+$/, word)];
  });
  return { ...report, columns: Object.fromEntries(columns) };
}
