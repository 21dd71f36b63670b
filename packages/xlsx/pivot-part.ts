import { EXTENDED, MAIN, OFFICE } from './namespaces.ts';
import { columnLetters, escapeXml, xmlPart } from './sheet-xml.ts';

/** The distinct texts of a column, in order; a blank one comes last. */
export interface PivotField {
  /** The column's place in the table. */
  readonly place: number;
  readonly items: readonly string[];
  readonly hasBlank: boolean;
}

/** The fields of a pivot table: its rows, its columns, and those of slicers. */
export interface PivotFields {
  readonly row: PivotField;
  readonly across: PivotField;
  readonly sliced: readonly PivotField[];
  /** The column whose values are summed. */
  readonly amount: number;
}

/** The number of the one cache in a workbook, for its list and for slicers. */
export const CACHE_ID = 1;

export const PIVOT_NAME = 'pvtData';

/** The version that knows slicers, and the least that can refresh the table. */
const [VERSION, MIN_VERSION] = [6, 3];

/** The longest text of an item without a mark. Unit: characters. */
const SHORT_TEXT = 255;

/** The number format #,##0.00, which is built in. */
const TWO_DECIMALS = 4;

/**
 * Returns the part of a pivot table's cache without records: programs read them from the table when they open the file.
 * @param table The native table with the lines.
 * @param application The program that writes it.
 */
export function formatPivotCache(
  table: string,
  headers: readonly string[],
  pivot: PivotFields,
  application: string,
): string {
  const fields = headers.map((header, place) => {
    const field = fieldsOf(pivot).find((each) => each.place === place);
    return `<cacheField name="${escapeXml(header)}" numFmtId="0">${field ? formatItems(field) : '<sharedItems/>'}</cacheField>`;
  });
  return xmlPart(
    `<pivotCacheDefinition xmlns="${MAIN}" xmlns:r="${OFFICE}" saveData="0" refreshOnLoad="1" refreshedBy="${escapeXml(application)}" createdVersion="${VERSION}" refreshedVersion="${VERSION}" minRefreshableVersion="${MIN_VERSION}">` +
      `<cacheSource type="worksheet"><worksheetSource name="${table}"/></cacheSource>` +
      `<cacheFields count="${fields.length}">${fields.join('')}</cacheFields>` +
      `<extLst><ext uri="{725AE2AE-9491-48be-B2B4-4EB974FC3084}" xmlns:x14="${EXTENDED}"><x14:pivotCacheDefinition pivotCacheId="${CACHE_ID}"/></ext></extLst></pivotCacheDefinition>`,
  );
}

/**
 * Returns the part of a pivot table: rows by columns, without totals.
 * A row's would add scheduled hours to actual ones, and LibreOffice takes the totals of rows for those of columns.
 * @param firstRow The row of its caption, from 1.
 */
export function formatPivotTable(headers: readonly string[], pivot: PivotFields, firstRow: number): string {
  const { row, across, amount } = pivot;
  const [down, over] = [countItems(row), countItems(across)];
  const fields = headers.map((_, place) => {
    const field = fieldsOf(pivot).find((each) => each.place === place);
    const axis = field === row ? ' axis="axisRow"' : field === across ? ' axis="axisCol"' : '';
    if (field) return `<pivotField${axis} showAll="0">${formatPositions(field)}</pivotField>`;
    return place === amount ? '<pivotField dataField="1" showAll="0"/>' : '<pivotField showAll="0"/>';
  });
  const last = `${columnLetters(over)}${firstRow + down + 1}`;
  const axis = (name: string, field: PivotField, lines: readonly string[]) =>
    `<${name}Fields count="1"><field x="${field.place}"/></${name}Fields><${name}Items count="${lines.length}">${lines.join('')}</${name}Items>`;
  return xmlPart(
    `<pivotTableDefinition xmlns="${MAIN}" name="${PIVOT_NAME}" cacheId="${CACHE_ID}" applyNumberFormats="0" applyBorderFormats="0" applyFontFormats="0" applyPatternFormats="0" applyAlignmentFormats="0" applyWidthHeightFormats="1" dataCaption="Values" updatedVersion="${VERSION}" minRefreshableVersion="${MIN_VERSION}" useAutoFormatting="1" itemPrintTitles="1" createdVersion="${VERSION}" indent="0" outline="1" outlineData="1" multipleFieldFilters="0" rowGrandTotals="0" colGrandTotals="0">` +
      `<location ref="A${firstRow}:${last}" firstHeaderRow="1" firstDataRow="2" firstDataCol="1"/>` +
      `<pivotFields count="${fields.length}">${fields.join('')}</pivotFields>${axis('row', row, linesOf(row))}${axis('col', across, linesOf(across))}` +
      `<dataFields count="1"><dataField name="${escapeXml(pivotCaption(headers, pivot))}" fld="${amount}" baseField="0" baseItem="0" numFmtId="${TWO_DECIMALS}"/></dataFields>` +
      '<pivotTableStyleInfo name="PivotStyleLight16" showRowHeaders="1" showColHeaders="1" showRowStripes="0" showColStripes="0" showLastColumn="1"/></pivotTableDefinition>',
  );
}

export function pivotCaption(headers: readonly string[], { amount }: PivotFields): string {
  return `Sum of ${headers[amount]}`;
}

/** Returns the texts along an axis, the blank one last. */
export function itemTexts({ items, hasBlank }: PivotField): string[] {
  return hasBlank ? [...items, ''] : [...items];
}

function fieldsOf({ row, across, sliced }: PivotFields): PivotField[] {
  return [row, across, ...sliced];
}

export function countItems({ items, hasBlank }: PivotField): number {
  return items.length + (hasBlank ? 1 : 0);
}

function formatItems(field: PivotField): string {
  const { items, hasBlank } = field;
  const marks = [
    ...(hasBlank ? ['containsBlank="1"'] : []),
    ...(items.length === 0 ? ['containsString="0" containsNonDate="0"'] : []),
    ...(items.some((text) => text.length > SHORT_TEXT) ? ['longText="1"'] : []),
  ];
  const texts = items.map((text) => `<s v="${escapeXml(text)}"/>`);
  return `<sharedItems ${[...marks, `count="${countItems(field)}"`].join(' ')}>${texts.join('')}${hasBlank ? '<m/>' : ''}</sharedItems>`;
}

function formatPositions(field: PivotField): string {
  const items = Array.from({ length: countItems(field) }, (_, i) => `<item x="${i}"/>`);
  return `<items count="${items.length + 1}">${items.join('')}<item t="default"/></items>`;
}

/** Returns the lines of an axis, one for each item. */
function linesOf(field: PivotField): string[] {
  return Array.from({ length: countItems(field) }, (_, i) => `<i><x${i === 0 ? '' : ` v="${i}"`}/></i>`);
}
