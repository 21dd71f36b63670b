import type { PartElement } from './xml-elements.ts';
import { parseZeroFormat, type ZeroFormat } from './zero-format.ts';

/** The meaning of a number by the format of its cell. */
export type NumberKind = 'number' | 'date' | 'time' | 'percent';

export interface NumberFormat {
  readonly kind: NumberKind;
  /** The format of a code; undefined for one of other than zeros and fixed characters. */
  readonly zeros: ZeroFormat | undefined;
}

/** The format of a cell without a style. */
export const GENERAL: NumberFormat = { kind: 'number', zeros: undefined };

/** Formats that a workbook doesn't define, by their numbers in Office Open XML. */
const BUILT_IN: readonly (readonly [first: number, last: number, kind: NumberKind])[] = [
  [9, 10, 'percent'],
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date'],
  [27, 36, 'date'],
  [45, 47, 'time'],
  [50, 58, 'date'],
];

/** Reads the formats of numbers from the styles of a workbook, by the style of a cell. */
export async function readNumberFormats(styles: AsyncIterable<readonly PartElement[]>): Promise<NumberFormat[]> {
  const own = new Map<number, NumberFormat>();
  const formats: number[] = [];
  for await (const elements of styles) {
    for (const { name, parent, attributes } of elements) {
      if (name === 'numFmt' && parent === 'numFmts')
        own.set(Number(attributes['numFmtId']), formatOf(attributes['formatCode'] ?? ''));
      if (name === 'xf' && parent === 'cellXfs') formats.push(Number(attributes['numFmtId'] ?? 0));
    }
  }
  return formats.map((format) => own.get(format) ?? { ...GENERAL, kind: builtInKind(format) });
}

function formatOf(code: string): NumberFormat {
  return { kind: kindOf(code), zeros: parseZeroFormat(code) };
}

function builtInKind(format: number): NumberKind {
  return BUILT_IN.find(([first, last]) => format >= first && format <= last)?.[2] ?? 'number';
}

/** Returns the kind of a format code such as `yyyy-mm-dd`, `[h]:mm` or `0.0%`. */
export function kindOf(code: string): NumberKind {
  const first = bareSection(code.toLowerCase());
  if (first.includes('general')) return 'number';
  if (/[yd]/.test(first)) return 'date';
  if (/[hs]/.test(first)) return 'time';
  if (first.includes('m')) return 'date';
  return first.includes('%') ? 'percent' : 'number';
}

/** Returns the first section of a format without its literals, colors and conditions; `[h]` counts as h. */
function bareSection(code: string): string {
  let bare = '';
  for (let at = 0; at < code.length && code[at] !== ';'; at += 1) {
    const character = code[at] ?? '';
    if (character === '"' || character === '[') {
      const end = code.indexOf(character === '"' ? '"' : ']', at + 1);
      if (end < 0) break;
      const inner = code.slice(at + 1, end);
      if (character === '[' && /^(?:h+|m+|s+)$/.test(inner)) bare += inner;
      at = end;
    } else if ('\\_*'.includes(character)) at += 1;
    else bare += character;
  }
  return bare;
}
