import { readElements } from './xml-elements.ts';

/** The meaning of a number by the format of its cell. */
export type NumberKind = 'number' | 'date' | 'time' | 'percent';

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

/** Reads the kinds of numbers from the styles of a workbook, by the style of a cell. */
export function readNumberKinds(styles: string): NumberKind[] {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  for (const { name, parent, attributes } of readElements(styles)) {
    if (name === 'numFmt' && parent === 'numFmts') {
      codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
    }
    if (name === 'xf' && parent === 'cellXfs') formats.push(Number(attributes['numFmtId'] ?? 0));
  }
  return formats.map((format) => {
    const code = codes.get(format);
    if (code !== undefined) return kindOf(code);
    return BUILT_IN.find(([first, last]) => format >= first && format <= last)?.[2] ?? 'number';
  });
}

/** Returns the kind of a format code such as `yyyy-mm-dd`, `[h]:mm` or `0.0%`. */
export function kindOf(code: string): NumberKind {
  const [first = ''] = code
    .replaceAll(/"[^"]*"|\\.|[_*]./g, '')
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .toLowerCase()
    .split(';');
  if (first.includes('general')) return 'number';
  if (/[yd]/.test(first)) return 'date';
  if (/[hs]/.test(first)) return 'time';
  if (first.includes('m')) return 'date';
  return first.includes('%') ? 'percent' : 'number';
}
