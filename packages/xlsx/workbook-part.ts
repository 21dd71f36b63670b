import { EXTENDED, MAIN, OFFICE } from './namespaces.ts';
import { quoteSheet } from './sheet.ts';
import { columnLetters, escapeXml, xmlPart } from './sheet-xml.ts';

/** A cache that the workbook lists, related after the sheets. */
export interface Attached {
  readonly relation: 'pivotCacheDefinition' | 'slicerCache';
  readonly path: string;
}

export interface PrintSetup {
  /** The first columns that pages repeat with the first row; undefined: none. */
  readonly titleColumns?: number;
  /** The cell or the columns that are printed. A blank cell keeps a sheet from paper until its print area is cleared. */
  readonly printed?: string;
}

export interface SheetEntry {
  readonly name: string;
  readonly rank: number;
  readonly id: number;
  readonly print: PrintSetup;
}

/** A name that formulas can use: a place in the workbook, or a property of a sheet. */
export interface DefinedName {
  readonly name: string;
  readonly to: string;
  readonly sheet?: number;
}

/** Formats the workbook part; its relations are numbered in list order. */
export function formatWorkbook(
  sheets: readonly SheetEntry[],
  names: readonly DefinedName[],
  attached: readonly Attached[],
): string {
  const listed = sheets.map(
    ({ name, id }, i) => `<sheet name="${escapeXml(name)}" sheetId="${id}" r:id="rId${i + 1}"/>`,
  );
  const prints = sheets.flatMap(({ name, print: { titleColumns, printed } }, sheet) => [
    ...(printed === undefined
      ? []
      : [{ name: '_xlnm.Print_Area', sheet, to: `${quoteSheet(name)}!${absolute(printed)}` }]),
    ...(titleColumns === undefined
      ? []
      : [{ name: '_xlnm.Print_Titles', sheet, to: formatTitles(name, titleColumns) }]),
  ]);
  const defined = [...prints, ...names].map(formatName);
  return xmlPart(
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView xWindow="0" yWindow="0" windowWidth="28800" windowHeight="16000" tabRatio="800"/></bookViews>` +
      `<sheets>${listed.join('')}</sheets>${defined.length > 0 ? `<definedNames>${defined.join('')}</definedNames>` : ''}<calcPr calcId="191029" fullCalcOnLoad="1"/>${formatAttached(attached, sheets.length)}</workbook>`,
  );
}

/** Formats the lists of caches, which are related after the sheets. */
function formatAttached(attached: readonly Attached[], sheets: number): string {
  const idsOf = (relation: Attached['relation']) =>
    attached.flatMap((each, i) => (each.relation === relation ? [`rId${sheets + i + 1}`] : []));
  const pivots = idsOf('pivotCacheDefinition').map((id, i) => `<pivotCache cacheId="${i + 1}" r:id="${id}"/>`);
  const slicers = idsOf('slicerCache').map((id) => `<x14:slicerCache r:id="${id}"/>`);
  if (pivots.length === 0) return '';
  return (
    `<pivotCaches>${pivots.join('')}</pivotCaches>` +
    `<extLst><ext uri="{BBE1A952-AA13-448e-AADC-164F8A28A991}" xmlns:x14="${EXTENDED}"><x14:slicerCaches>${slicers.join('')}</x14:slicerCaches></ext></extLst>`
  );
}

function formatName({ name, to, sheet }: DefinedName): string {
  return `<definedName name="${name}"${sheet === undefined ? '' : ` localSheetId="${sheet}"`}>${escapeXml(to)}</definedName>`;
}

function formatTitles(name: string, columns: number): string {
  const sheet = quoteSheet(name);
  return `${columns > 0 ? `${sheet}!$A:$${columnLetters(columns - 1)},` : ''}${sheet}!$1:$1`;
}

/** Returns the absolute reference to a cell or to columns: $B$7 for B7, $A:$C for A:C. */
export function absolute(place: string): string {
  return place.replaceAll(/[A-Z]+|\d+/g, '$$$&');
}
