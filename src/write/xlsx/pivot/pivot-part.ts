import { EXTENDED, MAIN, OFFICE } from '../package/namespaces.ts';
import type { PivotField, PivotValues } from '../package/pivot-values.ts';
import { columnLetters, escapeXml, xmlPart } from '../package/sheet-xml.ts';

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
 */
export function formatPivotCache(table: string, headers: readonly string[], values: PivotValues): string {
  const fields = headers.map((header, place) => {
    const field = fieldsOf(values).find((each) => each.place === place);
    return `<cacheField name="${escapeXml(header)}" numFmtId="0">${field ? formatItems(field) : '<sharedItems/>'}</cacheField>`;
  });
  return xmlPart(
    `<pivotCacheDefinition xmlns="${MAIN}" xmlns:r="${OFFICE}" saveData="0" refreshOnLoad="1" refreshedBy="Plumbline" createdVersion="${VERSION}" refreshedVersion="${VERSION}" minRefreshableVersion="${MIN_VERSION}">` +
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
export function formatPivotTable(headers: readonly string[], values: PivotValues, firstRow: number): string {
  const { row, across, amount } = values;
  const [down, over] = [sizeOf(row), sizeOf(across)];
  const fields = headers.map((_, place) => {
    const field = fieldsOf(values).find((each) => each.place === place);
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
      `<dataFields count="1"><dataField name="${escapeXml(captionOf(headers, values))}" fld="${amount}" baseField="0" baseItem="0" numFmtId="${TWO_DECIMALS}"/></dataFields>` +
      '<pivotTableStyleInfo name="PivotStyleLight16" showRowHeaders="1" showColHeaders="1" showRowStripes="0" showColStripes="0" showLastColumn="1"/></pivotTableDefinition>',
  );
}

export function captionOf(headers: readonly string[], { amount }: PivotValues): string {
  return `Sum of ${headers[amount]}`;
}

/** Returns the texts along an axis, the blank one last. */
export function textsOf({ items, hasBlank }: PivotField): string[] {
  return hasBlank ? [...items, ''] : [...items];
}

function fieldsOf({ row, across, sliced }: PivotValues): PivotField[] {
  return [row, across, ...sliced];
}

export function sizeOf({ items, hasBlank }: PivotField): number {
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
  return `<sharedItems ${[...marks, `count="${sizeOf(field)}"`].join(' ')}>${texts.join('')}${hasBlank ? '<m/>' : ''}</sharedItems>`;
}

function formatPositions(field: PivotField): string {
  const items = Array.from({ length: sizeOf(field) }, (_, i) => `<item x="${i}"/>`);
  return `<items count="${items.length + 1}">${items.join('')}<item t="default"/></items>`;
}

/** Returns the lines of an axis, one for each item. */
function linesOf(field: PivotField): string[] {
  return Array.from({ length: sizeOf(field) }, (_, i) => `<i><x${i === 0 ? '' : ` v="${i}"`}/></i>`);
}
