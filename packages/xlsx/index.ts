export { type Archive, openArchive, TooLargeError } from './archive.ts';
export { type Content, formatCell, plainContent } from './cell.ts';
export { type Anchor, type Chart, type Corner, formatChart, formatDrawing } from './chart.ts';
export { dateSerial, percentToFraction, trimDecimal } from './decimal.ts';
export { columnRef, criteriaFormula, sumFormula, totalRef, visibleSumFormula } from './formula.ts';
export { MAIN, OFFICE, PACKAGE } from './namespaces.ts';
export { formatTable, type TableColumn, tableName, uniqueHeaders } from './native-table.ts';
export { alignWithAmounts, amountDigits, amountFormat, BOOLEAN_FORMAT } from './number-formats.ts';
export {
  countItems,
  formatPivotCache,
  formatPivotTable,
  itemTexts,
  type PivotField,
  type PivotFields,
  pivotCaption,
} from './pivot-part.ts';
export {
  type Condition,
  type DataBar,
  formatHead,
  formatTail,
  type Link,
  pagesAcross,
  quoteSheet,
  type SheetTail,
} from './sheet.ts';
export { columnLetters, escapeXml, fitText, MAX_CELL_CHARACTERS, xmlPart } from './sheet-xml.ts';
export { formatSlicerCache, formatSlicerDrawing, formatSlicers, slicerCacheName } from './slicer-part.ts';
export type { Styles } from './style-lists.ts';
export { COLORS, CONDITIONS, HEADER, LINK, QUIET, type Style, TITLE } from './styles.ts';
export { boldWidth, LINE_POINTS, MIN_WIDTH, widthOfWholeWords, wrappedHeight, wrappedLines } from './text-widths.ts';
export { formatWaterfall } from './waterfall-chart.ts';
export { MAX_SHEET_LINKS, openPackage, type Package, type SheetPart } from './workbook-package.ts';
export type { PrintSetup } from './workbook-part.ts';
