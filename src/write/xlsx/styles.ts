import type { Column } from '../../report/table.ts';
import { escapeXml, xmlPart } from './sheet-xml.ts';

const FONT = 'Calibri';

export const COLORS = {
  good: '00703C',
  bad: 'B10E1E',
  quiet: '5F6B7A',
  headerFill: 'E9EDF2',
  line: 'A6B1BF',
  dark: '1F3A5F',
};

export interface Style {
  readonly format?: string;
  readonly bold?: boolean;
  /** Unit: points. */
  readonly size?: number;
  readonly color?: string;
  readonly fill?: string;
  readonly line?: 'top' | 'bottom';
  readonly align?: 'left' | 'right' | 'center';
  /** Unit: characters. */
  readonly indent?: number;
  readonly wrap?: boolean;
}

/** Excel shows booleans as words in any format; other programs need this one. */
export const BOOLEAN_FORMAT = '"TRUE";"TRUE";"FALSE"';

export const HEADER: Style = { bold: true, fill: COLORS.headerFill, line: 'bottom', wrap: true };

/** Indexes of the differential formats that conditions apply. */
export const CONDITIONS = { good: 0, bad: 1 } as const;

export interface Styles {
  id(style: Style): number;
  format(): string;
}

export function openStyles(): Styles {
  const fonts = openList([formatFont({})]);
  const fills = openList([fillOf('none'), fillOf('gray125')]);
  const borders = openList([formatBorder(undefined)]);
  const formats = openList<string>([]);
  const cells = openList([formatCell({}, 0, 0, 0, 0)]);
  return {
    id(style) {
      const format = style.format === undefined ? 0 : 164 + formats.place(style.format);
      const fill = style.fill ? fills.place(fillOf('solid', style.fill)) : 0;
      return cells.place(
        formatCell(style, format, fonts.place(formatFont(style)), fill, borders.place(formatBorder(style.line))),
      );
    },
    format: () =>
      xmlPart(
        `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${[
          listOf(
            'numFmts',
            formats.items.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${escapeXml(code)}"/>`),
          ),
          listOf('fonts', fonts.items),
          listOf('fills', fills.items),
          listOf('borders', borders.items),
          listOf('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
          listOf('cellXfs', cells.items),
          listOf('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
          listOf(
            'dxfs',
            [COLORS.good, COLORS.bad].map((color) => `<dxf><font><color rgb="FF${color}"/></font></dxf>`),
          ),
          '<tableStyles count="0" defaultTableStyle="TableStyleMedium2" defaultPivotStyle="PivotStyleLight16"/>',
        ].join('')}</styleSheet>`,
      ),
  };
}

/** Returns a column's number format; variances show a sign and F (favourable) or A (adverse). */
export function numberFormat({ unit, better, name }: Column, minorUnits: number): string | undefined {
  const money = `#,##0${minorUnits > 0 ? `.${'0'.repeat(minorUnits)}` : ''}`;
  const digits = unit === 'money' ? money : '#,##0.00';
  if (better !== undefined && isVariance(name)) {
    const [up, down] = { more: ['" F"', '" A"'], less: ['" A"', '" F"'], none: ['_ _A', '_ _A'] }[better];
    return `+${digits}${up};-${digits}${down};${unit === 'money' ? '"-"' : digits}_ _A`;
  }
  switch (unit) {
    case 'money':
      return `${money}_);(${money});"-"_)`;
    case 'hours':
    case 'budget':
      return '#,##0.00';
    case 'rate':
      return '#,##0.00##';
    case 'percent':
      return '0.0%';
    case 'count':
      return '#,##0';
    case 'date':
      return 'yyyy-mm-dd';
    case 'boolean':
      return BOOLEAN_FORMAT;
    default:
      return undefined;
  }
}

export function isVariance(name: string): boolean {
  return name.startsWith('variance_');
}

function openList<T extends string>(first: readonly T[]) {
  const items: T[] = [...first];
  const places = new Map(items.map((item, index) => [item, index]));
  return {
    items,
    place(item: T): number {
      const place = places.get(item) ?? items.push(item) - 1;
      places.set(item, place);
      return place;
    },
  };
}

function listOf(name: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `<${name} count="${items.length}">${items.join('')}</${name}>`;
}

function formatFont({ bold, size = 11, color }: Style): string {
  const mark = bold ? '<b/>' : '';
  const tint = color ? `<color rgb="FF${color}"/>` : '';
  return `<font>${mark}<sz val="${size}"/>${tint}<name val="${FONT}"/><family val="2"/></font>`;
}

function fillOf(pattern: string, color?: string): string {
  const tint = color ? `<fgColor rgb="FF${color}"/><bgColor indexed="64"/>` : '';
  return `<fill><patternFill patternType="${pattern}">${tint}</patternFill></fill>`;
}

function formatBorder(line: Style['line']): string {
  const edge = (name: string) =>
    line === name ? `<${name} style="thin"><color rgb="FF${COLORS.line}"/></${name}>` : `<${name}/>`;
  return `<border><left/><right/>${edge('top')}${edge('bottom')}<diagonal/></border>`;
}

function formatCell(style: Style, format: number, font: number, fill: number, border: number): string {
  const { align, indent, wrap } = style;
  const alignment =
    align || wrap
      ? `<alignment${align ? ` horizontal="${align}"` : ''}${indent ? ` indent="${indent}"` : ''} vertical="${wrap ? 'top' : 'bottom'}"${wrap ? ' wrapText="1"' : ''}/>`
      : '';
  const applied = [
    format > 0 ? ' applyNumberFormat="1"' : '',
    font > 0 ? ' applyFont="1"' : '',
    fill > 0 ? ' applyFill="1"' : '',
    border > 0 ? ' applyBorder="1"' : '',
    alignment ? ' applyAlignment="1"' : '',
  ].join('');
  const ids = `numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0"`;
  return alignment ? `<xf ${ids}${applied}>${alignment}</xf>` : `<xf ${ids}${applied}/>`;
}
