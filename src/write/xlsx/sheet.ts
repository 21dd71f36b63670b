import { columnLetters, escapeXml, xmlPart } from './sheet-xml.ts';

export interface SheetHead {
  /** Unit: characters. */
  readonly widths: readonly number[];
  readonly frozen?: { readonly columns: number; readonly rows: number };
  /** True for the sheet that opens first, which has no grid lines. */
  readonly isFirst?: boolean;
}

export interface Condition {
  readonly range: string;
  /** A comparison with 0, or a formula for the range's first cell. */
  readonly when: { readonly operator: 'greaterThan' | 'lessThan' } | { readonly formula: string };
  readonly style: number;
}

export interface SheetTail {
  readonly conditions?: readonly Condition[];
  /** Printed pages: the number side by side, and whether all rows fit on one page. */
  readonly pages: { readonly across: number; readonly isOneLong?: boolean };
  readonly footer: { readonly left: string; readonly right: string };
  /** A range in which numbers stored as text are intended. */
  readonly textRange?: string;
  /** Relation ids of the sheet's drawing and table. */
  readonly drawing?: string;
  readonly table?: string;
}

/** The widest printed page, at half size; smaller print is hard to read. Unit: characters. */
const PAGE_CHARACTERS = 300;

const NAMESPACES =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/** Formats a worksheet part up to its rows. Excel requires this order of elements. */
export function formatHead({ widths, frozen, isFirst }: SheetHead): string {
  const cols = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`);
  const view = `${isFirst ? ' showGridLines="0" tabSelected="1"' : ''} workbookViewId="0"`;
  return xmlPart(
    `<worksheet ${NAMESPACES}><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>` +
      `<sheetViews><sheetView${view}>${frozen ? formatPane(frozen) : ''}</sheetView></sheetViews>` +
      `<sheetFormatPr defaultRowHeight="15"/><cols>${cols.join('')}</cols><sheetData>`,
  );
}

/** Formats a worksheet part after its rows: landscape, with page numbers. */
export function formatTail(tail: SheetTail): string {
  const { conditions = [], pages, footer, textRange, drawing, table } = tail;
  const page = `&L${footerText(footer.left)}&CPage &P of &N&R${footerText(footer.right)}`;
  return [
    '</sheetData>',
    ...conditions.map(formatCondition),
    '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>',
    `<pageSetup paperSize="9" pageOrder="overThenDown" orientation="landscape" fitToWidth="${pages.across}" fitToHeight="${pages.isOneLong ? 1 : 0}"/>`,
    `<headerFooter><oddFooter>${escapeXml(page)}</oddFooter></headerFooter>`,
    textRange ? `<ignoredErrors><ignoredError sqref="${textRange}" numberStoredAsText="1"/></ignoredErrors>` : '',
    drawing ? `<drawing r:id="${drawing}"/>` : '',
    table ? `<tableParts count="1"><tablePart r:id="${table}"/></tableParts>` : '',
    '</worksheet>',
  ].join('');
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

function formatCondition({ range, when, style }: Condition, index: number): string {
  const rule = 'formula' in when ? 'type="expression"' : `type="cellIs" operator="${when.operator}"`;
  const formula = 'formula' in when ? when.formula : '0';
  return (
    `<conditionalFormatting sqref="${range}"><cfRule ${rule} dxfId="${style}" priority="${index + 1}">` +
    `<formula>${escapeXml(formula)}</formula></cfRule></conditionalFormatting>`
  );
}

/** Escapes & in a footer, which begins a code, and respects its limit of 255 characters. */
function footerText(text: string): string {
  return text.slice(0, 100).replaceAll('&', '&&');
}
