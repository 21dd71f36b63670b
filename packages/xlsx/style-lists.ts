import { cellStyle } from './named-styles.ts';
import { MAIN } from './namespaces.ts';
import { escapeXml, xmlPart } from './sheet-xml.ts';
import { COLORS, HEADER, LINK, QUIET, type Style, TITLE } from './styles.ts';

const FONT = 'Calibri';

/** Styles of texts in the gallery; those of numbers are formats. */
const TEXT_STYLES: Readonly<Record<string, Style>> = {
  Title: TITLE,
  Heading: HEADER,
  Note: QUIET,
  Link: LINK,
};

export interface Styles {
  id(style: Style): number;
  /** Returns the index of a differential format, which conditions apply. */
  condition(style: Required<Pick<Style, 'color' | 'format'>>): number;
  format(): string;
}

export function openStyles(): Styles {
  const fonts = openList([formatFont({})]);
  const fills = openList([fillOf('none'), fillOf('gray125')]);
  const borders = openList([formatBorder(undefined)]);
  const formats = openList<string>([]);
  const named: { readonly name: string; readonly parts: StyleParts }[] = [];
  const cells = openList([formatXf(NO_PARTS, { xfId: 0 })]);
  const conditions = openList([COLORS.good, COLORS.bad, COLORS.warn].map((color) => formatDifference({ color })));
  const partsOf = (style: Style): StyleParts => ({
    numFmtId: style.format === undefined ? 0 : 164 + formats.place(style.format),
    fontId: fonts.place(formatFont(style)),
    fillId: style.fill ? fills.place(fillOf('solid', style.fill)) : 0,
    borderId: borders.place(formatBorder(style.line)),
    alignment: formatAlignment(style),
  });
  /** Places a style in the gallery; its first number gives a style of numbers its format. */
  const placeNamed = (name: string, format: string | undefined) => {
    const place = named.findIndex((each) => each.name === name);
    if (place >= 0) return { place, base: named[place]?.parts ?? NO_PARTS };
    const base = partsOf(TEXT_STYLES[name] ?? (format === undefined ? {} : { format }));
    return { place: named.push({ name, parts: base }) - 1, base };
  };
  return {
    id(style) {
      const parts = partsOf(style);
      if (style.named === undefined) return cells.place(formatXf(parts, { xfId: 0, base: NO_PARTS }));
      const { place, base } = placeNamed(style.named, style.format);
      return cells.place(formatXf(parts, { xfId: place + 1, base }));
    },
    condition: ({ color, format }) =>
      conditions.place(formatDifference({ color, format, formatId: 164 + formats.place(format) })),
    format: () =>
      xmlPart(
        `<styleSheet xmlns="${MAIN}">${[
          listOf(
            'numFmts',
            formats.items.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${escapeXml(code)}"/>`),
          ),
          listOf('fonts', fonts.items),
          listOf('fills', fills.items),
          listOf('borders', borders.items),
          listOf('cellStyleXfs', [formatXf(NO_PARTS, {}), ...named.map(({ parts }) => formatXf(parts, {}))]),
          listOf('cellXfs', cells.items),
          listOf('cellStyles', [
            '<cellStyle name="Normal" xfId="0" builtinId="0"/>',
            ...named.map(({ name }, i) => cellStyle(name, i + 1)),
          ]),
          listOf('dxfs', conditions.items),
          '<tableStyles count="0" defaultTableStyle="TableStyleMedium2" defaultPivotStyle="PivotStyleLight16"/>',
        ].join('')}</styleSheet>`,
      ),
  };
}

interface StyleParts {
  readonly numFmtId: number;
  readonly fontId: number;
  readonly fillId: number;
  readonly borderId: number;
  readonly alignment: string;
}

const NO_PARTS: StyleParts = { numFmtId: 0, fontId: 0, fillId: 0, borderId: 0, alignment: '' };

const APPLIED = [
  ['numFmtId', 'applyNumberFormat'],
  ['fontId', 'applyFont'],
  ['fillId', 'applyFill'],
  ['borderId', 'applyBorder'],
  ['alignment', 'applyAlignment'],
] as const;

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

function formatFont({ bold, underline, size = 11, color }: Style): string {
  const mark = `${bold ? '<b/>' : ''}${underline ? '<u/>' : ''}`;
  const tint = color ? `<color rgb="FF${color}"/>` : '';
  return `<font>${mark}<sz val="${size}"/>${tint}<name val="${FONT}"/><family val="2"/></font>`;
}

function formatDifference({ color, format, formatId }: { color: string; format?: string; formatId?: number }): string {
  const numbers = format === undefined ? '' : `<numFmt numFmtId="${formatId}" formatCode="${escapeXml(format)}"/>`;
  return `<dxf><font><color rgb="FF${color}"/></font>${numbers}</dxf>`;
}

function fillOf(pattern: string, color?: string): string {
  const tint = color ? `<fgColor rgb="FF${color}"/><bgColor indexed="64"/>` : '';
  return `<fill><patternFill patternType="${pattern}">${tint}</patternFill></fill>`;
}

function formatBorder(line: Style['line']): string {
  const edge = (name: string) =>
    line === name || line === 'box' ? `<${name} style="thin"><color rgb="FF${COLORS.line}"/></${name}>` : `<${name}/>`;
  return `<border>${['left', 'right', 'top', 'bottom'].map(edge).join('')}<diagonal/></border>`;
}

function formatAlignment({ align, indent, wrap }: Style): string {
  if (!align && !wrap) return '';
  return `<alignment${align ? ` horizontal="${align}"` : ''}${indent ? ` indent="${indent}"` : ''} vertical="${wrap ? 'top' : 'bottom'}"${wrap ? ' wrapText="1"' : ''}/>`;
}

/**
 * Formats the parts of a cell or of a style.
 * @param of The number of a cell's style, and its parts: a cell applies its own where they differ, so that it follows the style in the others.
 */
function formatXf(parts: StyleParts, { xfId, base }: { readonly xfId?: number; readonly base?: StyleParts }): string {
  const { numFmtId, fontId, fillId, borderId, alignment } = parts;
  const applied = APPLIED.map(([part, attribute]) => (base && base[part] !== parts[part] ? ` ${attribute}="1"` : ''));
  const style = xfId === undefined ? '' : ` xfId="${xfId}"`;
  const ids = `numFmtId="${numFmtId}" fontId="${fontId}" fillId="${fillId}" borderId="${borderId}"${style}`;
  return alignment ? `<xf ${ids}${applied.join('')}>${alignment}</xf>` : `<xf ${ids}${applied.join('')}/>`;
}
