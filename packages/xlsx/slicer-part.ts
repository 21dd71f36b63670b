import { DRAWING, EXTENDED } from './namespaces.ts';
import { CACHE_ID, countItems, PIVOT_NAME, type PivotField } from './pivot-part.ts';
import { escapeXml, xmlPart } from './sheet-xml.ts';

const SLICER = 'http://schemas.microsoft.com/office/drawing/2010/slicer';

/** The height of a button. Unit: English Metric Units. */
const BUTTON_HEIGHT = 241_300;

/** The first id of the shapes for programs without slicers. */
const FALLBACK_ID = 1_001;

/** The columns and rows of the sheet that a slicer takes. */
const [WIDE, HIGH] = [2, 12];

/** Returns the name of a slicer's cache, which is also a name of the workbook. */
export function slicerCacheName(header: string): string {
  return `Slicer_${header.replaceAll(/[^\p{L}\p{N}]/gu, '_')}`;
}

/**
 * Returns the part of a slicer's cache: all items chosen.
 * @param sheetId The number of the pivot table's sheet in the workbook.
 */
export function formatSlicerCache(header: string, field: PivotField, sheetId: number): string {
  const items = Array.from({ length: countItems(field) }, (_, i) => `<i x="${i}" s="1"/>`);
  return xmlPart(
    `<slicerCacheDefinition xmlns="${EXTENDED}" name="${slicerCacheName(header)}" sourceName="${escapeXml(header)}">` +
      `<pivotTables><pivotTable tabId="${sheetId}" name="${PIVOT_NAME}"/></pivotTables>` +
      `<data><tabular pivotCacheId="${CACHE_ID}"><items count="${items.length}">${items.join('')}</items></tabular></data></slicerCacheDefinition>`,
  );
}

export function formatSlicers(headers: readonly string[]): string {
  const slicers = headers.map(
    (header) =>
      `<slicer name="${escapeXml(header)}" cache="${slicerCacheName(header)}" caption="${escapeXml(header)}" rowHeight="${BUTTON_HEIGHT}"/>`,
  );
  return xmlPart(`<slicers xmlns="${EXTENDED}">${slicers.join('')}</slicers>`);
}

/**
 * Returns the drawing with the slicers, one below the other.
 * @param column The first column beside the pivot table, from 0.
 */
export function formatSlicerDrawing(headers: readonly string[], column: number): string {
  const anchors = headers.map((header, i) => formatAnchor(header, i, column));
  return xmlPart(
    `<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main">${anchors.join('')}</xdr:wsDr>`,
  );
}

function formatAnchor(header: string, index: number, column: number): string {
  const corner = (name: string, at: number, row: number) =>
    `<xdr:${name}><xdr:col>${at}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${name}>`;
  const top = 2 + index * (HIGH + 1);
  const name = escapeXml(header);
  const frame =
    `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${index + 2}" name="${name}" descr="Slicer: choose which ${name} counts."/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>` +
    `<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${SLICER}"><sle:slicer xmlns:sle="${SLICER}" name="${name}"/></a:graphicData></a:graphic></xdr:graphicFrame>`;
  const fallback = `<xdr:sp macro="" textlink=""><xdr:nvSpPr><xdr:cNvPr id="${FALLBACK_ID + index}" name="${name}"/><xdr:cNvSpPr/></xdr:nvSpPr><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:sp>`;
  return (
    `<xdr:twoCellAnchor editAs="oneCell">${corner('from', column, top)}${corner('to', column + WIDE, top + HIGH)}` +
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main">' +
    `<mc:Choice Requires="a14">${frame}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent><xdr:clientData/></xdr:twoCellAnchor>`
  );
}
