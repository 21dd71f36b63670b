import { CHART_END, formatCache, formatTitle, formatValueAxis, outline, SMALL_TEXT, solidFill } from './chart.ts';
import { DRAWING, OFFICE } from './namespaces.ts';
import { quoteSheet } from './sheet.ts';
import { columnLetters, escapeXml, xmlPart } from './sheet-xml.ts';
import { COLORS } from './styles.ts';

/** A chart of totals and the steps between them. */
export interface Waterfall {
  readonly title: string;
  readonly sheet: string;
  readonly firstRow: number;
  /** The labels of the totals and steps, in one column from 0. */
  readonly labels: { readonly column: number; readonly texts: readonly string[] };
  /** The stacked parts of each column, bottom first; one without a color is not drawn. */
  readonly parts: readonly {
    readonly column: number;
    readonly color: string | undefined;
    /** The number format of its labels; undefined for none. */
    readonly labelFormat: string | undefined;
    /** True for totals, whose labels are white at their top. */
    readonly isTotal: boolean;
    readonly values: readonly string[];
  }[];
  readonly format: string;
  /** Where the axis begins, if it is cut. Default: 0, or lower. */
  readonly start?: string;
}

/** Returns the part of a waterfall chart: stacked columns, of which the lowest part is not drawn. */
export function formatWaterfall(chart: Waterfall): string {
  const count = chart.labels.texts.length;
  const place = (column: number) => {
    const letters = columnLetters(column);
    return escapeXml(
      `${quoteSheet(chart.sheet)}!$${letters}$${chart.firstRow}:$${letters}$${chart.firstRow + count - 1}`,
    );
  };
  const points = chart.labels.texts.map((text, i) => `<c:pt idx="${i}"><c:v>${escapeXml(text)}</c:v></c:pt>`);
  const labels = `<c:cat><c:strRef><c:f>${place(chart.labels.column)}</c:f><c:strCache><c:ptCount val="${count}"/>${points.join('')}</c:strCache></c:strRef></c:cat>`;
  const series = chart.parts.map(
    ({ column, color, labelFormat, isTotal, values }, i) =>
      `<c:ser><c:idx val="${i}"/><c:order val="${i}"/><c:spPr>${color ? solidFill(color) : '<a:noFill/>'}</c:spPr><c:invertIfNegative val="0"/>${formatLabels(labelFormat, isTotal)}${labels}` +
      `<c:val><c:numRef><c:f>${place(column)}</c:f>${formatCache(chart.format, values)}</c:numRef></c:val></c:ser>`,
  );
  return xmlPart(
    `<c:chartSpace xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}"><c:roundedCorners val="0"/><c:chart>` +
      `${formatTitle(chart.title)}<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>` +
      `<c:barChart><c:barDir val="col"/><c:grouping val="stacked"/><c:varyColors val="0"/>${series.join('')}<c:gapWidth val="45"/><c:overlap val="100"/><c:axId val="111"/><c:axId val="222"/></c:barChart>` +
      `<c:catAx><c:axId val="111"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="b"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>${outline(COLORS.line)}${SMALL_TEXT}<c:crossAx val="222"/><c:crosses val="autoZero"/><c:auto val="1"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/></c:catAx>` +
      formatValueAxis(
        chart.format,
        chart.parts.flatMap(({ values }) => values),
        chart.start,
      ) +
      `</c:plotArea><c:plotVisOnly val="0"/><c:dispBlanksAs val="gap"/></c:chart>${CHART_END}</c:chartSpace>`,
  );
}

function formatLabels(format: string | undefined, isTotal: boolean): string {
  if (format === undefined) return '';
  const [color, place] = isTotal ? ['FFFFFF', 'inEnd'] : ['333333', 'ctr'];
  const show = ['showLegendKey', 'showVal', 'showCatName', 'showSerName', 'showPercent', 'showBubbleSize'];
  return (
    `<c:dLbls><c:numFmt formatCode="${escapeXml(format)}" sourceLinked="0"/><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>` +
    `<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="900" b="1">${solidFill(color)}</a:defRPr></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>` +
    `<c:dLblPos val="${place}"/>${show.map((name) => `<c:${name} val="${name === 'showVal' ? 1 : 0}"/>`).join('')}</c:dLbls>`
  );
}
