import { MAIN, OFFICE } from './namespaces.ts';
import { columnLetters, escapeXml, xmlPart } from './sheet-xml.ts';

export interface SheetHead {
  /** Unit: characters. */
  readonly widths: readonly number[];
  readonly frozen?: { readonly columns: number; readonly rows: number };
  /** Columns in collapsed groups, from 0. */
  readonly hidden?: ReadonlySet<number>;
  /** The levels of groups of rows. */
  readonly outlineRows?: number;
  /** The number of hidden columns after those with widths. */
  readonly helperColumns?: number;
  /** True for the sheet that opens first, which has no grid lines. */
  readonly isFirst?: boolean;
  readonly tab?: string;
}

export interface Link {
  readonly cell: string;
  /** A sheet and a range, such as 'Data'!A2:Y9. */
  readonly to: string;
  readonly tip: string;
}

export interface Condition {
  readonly range: string;
  /** A comparison with 0 or another number, or a formula for the range's first cell. */
  readonly when:
    | { readonly operator: 'greaterThan' | 'greaterThanOrEqual' | 'lessThan'; readonly than?: string }
    | { readonly formula: string };
  readonly style: number;
  /** True to apply no later condition to a cell that meets this one. */
  readonly isLast?: boolean;
}

/** A bar in each cell of a range, from 0 to 100 percent, in a color. */
export interface DataBar {
  readonly range: string;
  readonly bar: string;
}

export interface SheetTail {
  /** Ranges of cells that are one. */
  readonly merged?: readonly string[];
  readonly conditions?: readonly (Condition | DataBar)[];
  readonly links?: readonly Link[];
  /** Printed pages: the number side by side, and whether all rows fit on one page. */
  readonly pages: { readonly across: number; readonly isOneLong?: boolean };
  /** Rows, from 1, after which a printed page ends. */
  readonly pageEnds?: readonly number[];
  readonly footer: { readonly left: string; readonly right: string };
  /** A range in which numbers stored as text are intended. */
  readonly textRange?: string;
  /** Relation ids of the sheet's drawing and table. */
  readonly drawing?: string;
  readonly table?: string;
  readonly slicers?: string;
}

/** The widest printed page, at three fifths of the size; smaller print is hard to read. Unit: characters. */
const PAGE_CHARACTERS = 240;

const NAMESPACES = `xmlns="${MAIN}" xmlns:r="${OFFICE}"`;

/** Formats a worksheet part up to its rows. Excel requires this order of elements. */
export function formatHead(head: SheetHead): string {
  const { widths, frozen, hidden = new Set(), outlineRows = 0, helperColumns = 0, isFirst, tab } = head;
  const cols = widths.map((width, i) => formatColumn(i, `width="${width}" customWidth="1"`, hidden));
  // The button of a group is above the column after it.
  if (hidden.has(widths.length - 1)) cols.push(formatColumn(widths.length, '', hidden));
  if (helperColumns > 0) {
    cols.push(`<col min="${widths.length + 1}" max="${widths.length + helperColumns}" width="9" hidden="1"/>`);
  }
  const view = `${isFirst ? ' showGridLines="0" tabSelected="1"' : ''} workbookViewId="0"`;
  return xmlPart(
    `<worksheet ${NAMESPACES}><sheetPr>${tab ? `<tabColor rgb="FF${tab}"/>` : ''}<pageSetUpPr fitToPage="1"/></sheetPr>` +
      `<sheetViews><sheetView${view}>${frozen ? formatPane(frozen) : ''}</sheetView></sheetViews>` +
      `<sheetFormatPr defaultRowHeight="15"${outlineRows > 0 ? ` outlineLevelRow="${outlineRows}"` : ''}${hidden.size > 0 ? ' outlineLevelCol="1"' : ''}/><cols>${cols.join('')}</cols><sheetData>`,
  );
}

/** Formats a worksheet part after its rows: landscape, with page numbers. */
export function formatTail(tail: SheetTail): string {
  const {
    merged = [],
    conditions = [],
    links = [],
    pages,
    pageEnds = [],
    footer,
    textRange,
    drawing,
    table,
    slicers,
  } = tail;
  const page = `&L${footerText(footer.left)}&CPage &P of &N&R${footerText(footer.right)}`;
  return [
    '</sheetData>',
    merged.length > 0
      ? `<mergeCells count="${merged.length}">${merged.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`
      : '',
    formatConditions(conditions),
    links.length > 0 ? `<hyperlinks>${links.map(formatLink).join('')}</hyperlinks>` : '',
    '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>',
    `<pageSetup paperSize="9" pageOrder="overThenDown" orientation="landscape" fitToWidth="${pages.across}" fitToHeight="${pages.isOneLong ? 1 : 0}"/>`,
    `<headerFooter><oddFooter>${escapeXml(page)}</oddFooter></headerFooter>`,
    formatPageEnds(pageEnds),
    textRange ? `<ignoredErrors><ignoredError sqref="${textRange}" numberStoredAsText="1"/></ignoredErrors>` : '',
    drawing ? `<drawing r:id="${drawing}"/>` : '',
    table ? `<tableParts count="1"><tablePart r:id="${table}"/></tableParts>` : '',
    slicers
      ? `<extLst><ext uri="{A8765BA9-456A-4dab-B4F3-ACF838C121DE}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:slicerList><x14:slicer r:id="${slicers}"/></x14:slicerList></ext></extLst>`
      : '',
    '</worksheet>',
  ].join('');
}

function formatPageEnds(rows: readonly number[]): string {
  if (rows.length === 0) return '';
  const breaks = rows.map((row) => `<brk id="${row}" max="16383" man="1"/>`).join('');
  return `<rowBreaks count="${rows.length}" manualBreakCount="${rows.length}">${breaks}</rowBreaks>`;
}

/**
 * Returns the number of printed pages side by side.
 * @param widths Unit: characters.
 * @param repeatedColumns The first columns, which every page repeats.
 */
export function pagesAcross(widths: readonly number[], repeatedColumns: number): number {
  const sum = (some: readonly number[]) => some.reduce((total, width) => total + width, 0);
  const repeated = sum(widths.slice(0, repeatedColumns));
  return Math.max(1, Math.ceil((sum(widths) - repeated) / (PAGE_CHARACTERS - repeated)));
}

export function quoteSheet(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

function formatPane({ columns, rows }: { readonly columns: number; readonly rows: number }): string {
  const split = `${columns > 0 ? ` xSplit="${columns}"` : ''}${rows > 0 ? ` ySplit="${rows}"` : ''}`;
  const pane = columns > 0 ? (rows > 0 ? 'bottomRight' : 'topRight') : 'bottomLeft';
  const corner = `${columnLetters(columns)}${rows + 1}`;
  return `<pane${split} topLeftCell="${corner}" activePane="${pane}" state="frozen"/><selection pane="${pane}" activeCell="${corner}" sqref="${corner}"/>`;
}

/** Rules of one range stand in one element: LibreOffice shows only the first of several elements for a cell. */
function formatConditions(conditions: readonly (Condition | DataBar)[]): string {
  const rules = new Map<string, string[]>();
  for (const [index, condition] of conditions.entries()) {
    const { range } = condition;
    rules.set(range, [...(rules.get(range) ?? []), formatRule(condition, index + 1)]);
  }
  return [...rules]
    .map(([range, own]) => `<conditionalFormatting sqref="${range}">${own.join('')}</conditionalFormatting>`)
    .join('');
}

function formatRule(condition: Condition | DataBar, priority: number): string {
  if ('bar' in condition) {
    const ends = [0, 1].map((value) => `<cfvo type="num" val="${value}"/>`).join('');
    return `<cfRule type="dataBar" priority="${priority}"><dataBar>${ends}<color rgb="FF${condition.bar}"/></dataBar></cfRule>`;
  }
  const { when, style, isLast } = condition;
  const rule = 'formula' in when ? 'type="expression"' : `type="cellIs" operator="${when.operator}"`;
  const formula = 'formula' in when ? when.formula : (when.than ?? '0');
  return (
    `<cfRule ${rule} dxfId="${style}" priority="${priority}"${isLast ? ' stopIfTrue="1"' : ''}>` +
    `<formula>${escapeXml(formula)}</formula></cfRule>`
  );
}

function formatColumn(index: number, size: string, hidden: ReadonlySet<number>): string {
  const group = hidden.has(index) ? ' hidden="1" outlineLevel="1"' : hidden.has(index - 1) ? ' collapsed="1"' : '';
  return `<col min="${index + 1}" max="${index + 1}" ${size}${group}/>`;
}

function formatLink({ cell, to, tip }: Link): string {
  return `<hyperlink ref="${cell}" location="${escapeXml(to)}" tooltip="${escapeXml(tip)}"/>`;
}

/** Escapes & in a footer, which begins a code, and respects its limit of 255 characters. */
function footerText(text: string): string {
  return text.slice(0, 100).replaceAll('&', '&&');
}
