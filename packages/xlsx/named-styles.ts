/** Styles that Excel has itself, whose look the workbook sets, by their number there. */
const BUILT_IN = {
  Title: { name: 'Title', id: 15 },
  Heading: { name: 'Heading 1', id: 16 },
  Note: { name: 'Explanatory Text', id: 53 },
  Link: { name: 'Hyperlink', id: 8 },
  Percent: { name: 'Percent', id: 5 },
  Money: { name: 'Currency', id: 4 },
} as const;

/** Formats a named style. @param xfId The number of its parts. */
export function cellStyle(name: string, xfId: number): string {
  const builtIn = Object.entries(BUILT_IN).find(([key]) => key === name)?.[1];
  const origin = builtIn ? ` builtinId="${builtIn.id}" customBuiltin="1"` : '';
  return `<cellStyle name="${builtIn?.name ?? name}" xfId="${xfId}"${origin}/>`;
}
