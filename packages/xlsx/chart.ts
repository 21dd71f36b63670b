import { DRAWING, OFFICE } from './namespaces.ts';
import { quoteSheet } from './sheet.ts';
import { columnLetters, escapeXml, xmlPart } from './sheet-xml.ts';
import { COLORS } from './styles.ts';

export interface Chart {
  readonly title: string;
  readonly sheet: string;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly months: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly format: string;
}

/** A series of a chart: its column from 0, and its values, null for none. */
export interface ChartSeries {
  readonly header: string;
  readonly column: number;
  readonly values: readonly (string | null)[];
}

/** A corner of a chart: column and row from 0, and the offset into the column. */
export interface Corner {
  readonly column: number;
  readonly row: number;
  /** Unit: characters. */
  readonly offset?: number;
}

/** The place of a chart, and the text that a screen reader reads there. */
export interface Anchor {
  readonly from: Corner;
  readonly to: Corner;
  readonly altText: string;
}

/** The width of a character in drawings. Unit: English Metric Units. */
const CHARACTER = 66_675;

const SERIES_COLORS = ['B8C4D6', COLORS.dark];

const MONTH_FORMAT = 'mmm yy';

/** Returns the part of a drawing with charts, related as rId1, rId2. */
export function formatDrawing(anchors: readonly Anchor[]): string {
  return xmlPart(
    `<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main">${anchors.map(formatAnchor).join('')}</xdr:wsDr>`,
  );
}

function formatAnchor({ from, to, altText }: Anchor, index: number): string {
  const corner = (name: string, { column, row, offset = 0 }: Corner) =>
    `<xdr:${name}><xdr:col>${column}</xdr:col><xdr:colOff>${offset * CHARACTER}</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${name}>`;
  return (
    `<xdr:twoCellAnchor>${corner('from', from)}${corner('to', to)}<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${index + 2}" name="Chart ${index + 1}" descr="${escapeXml(altText)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>` +
    '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>' +
    `<a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" xmlns:r="${OFFICE}" r:id="rId${index + 1}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>`
  );
}

/** Returns the part of a chart, with its values cached so that viewers show them at once. */
export function formatChart(chart: Chart): string {
  const series = chart.series.map((each, index) => formatSeries(chart, each, index));
  return xmlPart(
    `<c:chartSpace xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}"><c:roundedCorners val="0"/><c:chart>` +
      `${formatTitle(chart.title)}<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>` +
      `<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>${series.join('')}<c:gapWidth val="70"/><c:overlap val="-5"/><c:axId val="111"/><c:axId val="222"/></c:barChart>` +
      `<c:dateAx><c:axId val="111"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="b"/><c:numFmt formatCode="${MONTH_FORMAT}" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>${outline(COLORS.line)}${SMALL_TEXT}<c:crossAx val="222"/><c:crosses val="autoZero"/><c:auto val="1"/><c:lblOffset val="100"/><c:baseTimeUnit val="months"/></c:dateAx>` +
      formatValueAxis(
        chart.format,
        chart.series.flatMap(({ values }) => values),
      ) +
      '</c:plotArea><c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend><c:plotVisOnly val="0"/><c:dispBlanksAs val="gap"/></c:chart>' +
      `${CHART_END}</c:chartSpace>`,
  );
}

export function formatTitle(title: string): string {
  return `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1200" b="1"/></a:pPr><a:r><a:rPr lang="en-US" sz="1200" b="1">${solidFill('333333')}</a:rPr><a:t>${escapeXml(title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`;
}

/** Formats the axis of columns, which starts at 0 unless a value is below it. @param cut Where it starts instead. */
export function formatValueAxis(format: string, values: readonly (string | null)[], cut?: string): string {
  const start = values.some((value) => value?.startsWith('-')) ? '' : `<c:min val="${cut ?? '0'}"/>`;
  return `<c:valAx><c:axId val="222"/><c:scaling><c:orientation val="minMax"/>${start}</c:scaling><c:delete val="0"/><c:axPos val="l"/><c:majorGridlines>${outline('E1E5EA')}</c:majorGridlines><c:numFmt formatCode="${escapeXml(format)}" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:spPr><a:ln><a:noFill/></a:ln></c:spPr>${SMALL_TEXT}<c:crossAx val="111"/><c:crosses val="autoZero"/><c:crossBetween val="between"/></c:valAx>`;
}

function formatSeries(chart: Chart, { header, column, values }: ChartSeries, index: number): string {
  const place = (letters: string, from: number, to?: number) =>
    escapeXml(`${quoteSheet(chart.sheet)}!$${letters}$${from}${to === undefined ? '' : `:$${letters}$${to}`}`);
  const letters = columnLetters(column);
  return (
    `<c:ser><c:idx val="${index}"/><c:order val="${index}"/>` +
    `<c:tx><c:strRef><c:f>${place(letters, 1)}</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>${escapeXml(header)}</c:v></c:pt></c:strCache></c:strRef></c:tx>` +
    `<c:spPr><a:solidFill><a:srgbClr val="${SERIES_COLORS[index] ?? COLORS.dark}"/></a:solidFill></c:spPr><c:invertIfNegative val="0"/>` +
    `<c:cat><c:numRef><c:f>${place('A', chart.firstRow, chart.lastRow)}</c:f>${formatCache(MONTH_FORMAT, chart.months)}</c:numRef></c:cat>` +
    `<c:val><c:numRef><c:f>${place(letters, chart.firstRow, chart.lastRow)}</c:f>${formatCache(chart.format, values)}</c:numRef></c:val></c:ser>`
  );
}

export function formatCache(format: string, values: readonly (string | null)[]): string {
  const points = values.map((value, i) => (value === null ? '' : `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`));
  return `<c:numCache><c:formatCode>${escapeXml(format)}</c:formatCode><c:ptCount val="${values.length}"/>${points.join('')}</c:numCache>`;
}

export function solidFill(color: string): string {
  return `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`;
}

export function outline(color: string): string {
  return `<c:spPr><a:ln w="6350">${solidFill(color)}</a:ln></c:spPr>`;
}

export const SMALL_TEXT =
  '<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="900"/></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>';

/** Returns what a chart ends with: white, a quiet frame, and the font of the sheet. */
export const CHART_END = `<c:spPr>${solidFill('FFFFFF')}<a:ln w="6350">${solidFill('D5DAE1')}</a:ln></c:spPr><c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr><a:latin typeface="Calibri"/></a:defRPr></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>`;
