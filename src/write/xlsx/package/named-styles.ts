import type { Unit } from '../../../report/catalogue/table.ts';

/** Styles that Excel has itself, whose look the workbook sets, by their number there. */
const BUILT_IN = {
  Title: { name: 'Title', id: 15 },
  Heading: { name: 'Heading 1', id: 16 },
  Note: { name: 'Explanatory Text', id: 53 },
  Link: { name: 'Hyperlink', id: 8 },
  Percent: { name: 'Percent', id: 5 },
  Money: { name: 'Currency', id: 4 },
} as const;

/** Styles of the workbook's own. */
const OWN = ['Hours', 'Rate', 'Number', 'Date', 'Variance'] as const;

/** A style in the gallery of Excel: changing it there changes all its cells. */
export type StyleName = keyof typeof BUILT_IN | (typeof OWN)[number];

export const UNIT_STYLES: Readonly<Partial<Record<Unit, StyleName>>> = {
  hours: 'Hours',
  budget: 'Hours',
  money: 'Money',
  rate: 'Rate',
  percent: 'Percent',
  count: 'Number',
  date: 'Date',
};

/** Formats a named style. @param xfId The number of its parts. */
export function cellStyle(name: StyleName, xfId: number): string {
  const builtIn = Object.entries(BUILT_IN).find(([key]) => key === name)?.[1];
  const origin = builtIn ? ` builtinId="${builtIn.id}" customBuiltin="1"` : '';
  return `<cellStyle name="${builtIn?.name ?? name}" xfId="${xfId}"${origin}/>`;
}
