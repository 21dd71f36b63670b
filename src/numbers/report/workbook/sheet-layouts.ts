import { findReport } from '../catalogue/catalogue.ts';
import type { Column } from '../catalogue/table.ts';
import {
  type BookPage,
  isPage,
  type PageDefinition,
  type SheetDefinition,
  type WorkbookDefinition,
} from '../layout/workbook-definition.ts';
import type { Query } from '../request/query.ts';
import { type AddedColumns, COMMENT, KEY, standingColumns } from './added-columns.ts';
import type { LinkedColumn, SheetLayout, SheetPlace } from './book-sheet.ts';
import type { BookPlan, ReadSheet } from './plan-book.ts';

/** The report whose columns are the key ones of reports that list. */
const PIVOT = 'pivot';

/** The end of a line of contents of a sheet with folded columns. */
const FOLDED = ' The buttons above the columns show further columns.';

/** A sheet with its layout, and the columns that it has beside those of its table; undefined for none. */
interface LaidSheet {
  readonly sheet: ReadSheet;
  readonly layout: SheetLayout;
  readonly added: AddedColumns | undefined;
}

/** Returns the layouts of a workbook's sheets, which link to each other. @param query The request, which may name columns. */
export function layoutsOf(
  query: Query,
  { isByProject }: BookPlan,
  sheets: readonly ReadSheet[],
  { standings, comments }: Pick<AddedColumns, 'standings' | 'comments'>,
): LaidSheet[] {
  const isTarget = (sheet: ReadSheet, { definition: { name, has_lines } }: ReadSheet) =>
    sheet.definition.links?.includes(name) && hasKey(sheet) && (!has_lines || isByProject);
  return sheets.map((sheet, place) => {
    const { definition, kept } = sheet;
    const columns = kept?.table.columns ?? [];
    const { adds = [], fold } = definition;
    const linked = sheets.filter((other) => isTarget(sheet, other)).map(linkTo);
    const judged = adds.includes('standing') && standings ? standingColumns(columns) : [];
    const added = { judged, standings, linked, comments: adds.includes('comment') ? comments : undefined };
    const shown = query.presentation.fields ? undefined : fold && shownColumns(sheet, query);
    const further = [...judged.map(({ name }) => name), COMMENT.name, ...linked.map(({ column }) => column)];
    const isGrouped = sheets.some((other) => isTarget(other, sheet));
    const plain = plainLayout(query.selection.catalogue.workbook, definition, place);
    return {
      sheet,
      added: adds.length > 0 ? added : undefined,
      layout: {
        ...plain,
        isPrinted: plain.isPrinted && hasEnoughRows(sheet),
        contents: contentsOf(sheet, isGrouped, shown !== undefined),
        ...(shown && { wanted: [...shown, ...(adds.length > 0 ? further : [])] }),
        ...(isGrouped && { groupedBy: KEY }),
        linked,
        ...(adds.includes('comment') && { written: COMMENT.name }),
      },
    };
  });
}

/** Returns the layout of a sheet, whatever its rows are. @param place The position among the sheets with rows. */
export function plainLayout(workbook: WorkbookDefinition, definition: SheetDefinition, place: number): SheetLayout {
  const { shape, has_live_rows, has_lines, keeps_rows, tallies, window } = definition;
  return {
    ...placeOf(workbook, definition, place),
    hasGroups: shape === 'groups',
    hasLiveRows: has_live_rows ?? false,
    hasLines: has_lines ?? false,
    hasOwnDays: window !== undefined,
    keepsRows: keeps_rows ?? false,
    ...(tallies && { tallied: tallies }),
  };
}

/** Returns the places of the pages that a writer makes of the other sheets. */
export function pagePlaces(workbook: WorkbookDefinition): Readonly<Record<BookPage, SheetPlace>> {
  const places = workbook.sheets.filter(isPage).map((page) => [page.page, placeOf(workbook, page, 0)]);
  return Object.fromEntries(places) as Record<BookPage, SheetPlace>;
}

function placeOf(
  { sheets }: WorkbookDefinition,
  definition: PageDefinition | SheetDefinition,
  place: number,
): SheetPlace {
  const { tab, paper = true, contents } = definition;
  const keyOf = (sheet: PageDefinition | SheetDefinition) => (isPage(sheet) ? sheet.page : sheet.name);
  const rank = sheets.findIndex((each) => keyOf(each) === keyOf(definition));
  return { rank: rank + place / 100, tab, isPrinted: paper, contents };
}

function hasKey({ kept }: ReadSheet): boolean {
  return kept?.table.columns.some(({ name }) => name === KEY) ?? false;
}

/** Tests whether a sheet has rows to print; of one that streams, nothing is read yet. */
function hasEnoughRows({ kept, definition: { prints_from = 1 } }: ReadSheet): boolean {
  return kept === undefined || kept.rows.length >= prints_from;
}

function linkTo({ name, definition }: ReadSheet): LinkedColumn {
  return { column: definition.linked_as ?? name.toLowerCase(), sheet: name };
}

function contentsOf({ name, definition }: ReadSheet, isGrouped: boolean, isFolded: boolean): string {
  const { contents = '', contents_by_project: grouped = contents, shape } = definition;
  return (isGrouped ? grouped : contents).replace('{sheet}', name) + (isFolded && !shape ? FOLDED : '');
}

/** Returns the columns that a sheet shows at first, the others being in collapsed groups; undefined for all. */
function shownColumns({ definition, query, kept }: ReadSheet, asked: Query): readonly string[] | undefined {
  if (definition.fold === 'headline') return [...(definition.as?.rows ?? []), ...keyMeasures(asked)];
  return keyColumns(query, kept?.table.columns ?? []);
}

function keyColumns({ selection, understood }: Query, columns: readonly Column[]): readonly string[] | undefined {
  const { rows, relation, table } = selection.report;
  if (understood['bridge'] !== undefined) return undefined;
  if (rows || relation || !table) return table;
  // A pivot that names its measures shows all of them.
  if (understood['measures'] !== undefined) return undefined;
  const isMeasure = (name: string) => selection.catalogue.measures.has(name);
  return columns.flatMap(({ name, measure = name }) => (isMeasure(measure) && !table.includes(measure) ? [] : [name]));
}

/** Returns the measures that tell most about a query, most important first. */
export function keyMeasures({ selection: { catalogue, report }, grouping, understood }: Query): readonly string[] {
  const hasNamed = !report.rows && !report.relation && understood['measures'] !== undefined;
  if (hasNamed || understood['bridge'] !== undefined) {
    return grouping.measures.map(({ name }) => name);
  }
  const table = report.relation ? findReport(catalogue, PIVOT).table : report.table;
  return table ?? grouping.measures.map(({ name }) => name);
}
