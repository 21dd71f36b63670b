import { CAUSES } from './causes-sheet.ts';
import { quoteSheet, type SheetTail } from './package/sheet.ts';
import { LINK, TABS } from './package/styles.ts';
import type { Package } from './package/workbook-package.ts';
import { hasPivot, PIVOT_SHEET } from './pivot/pivot-sheet.ts';
import { CONTENTS } from './sheets/back-link.ts';
import { type GridCell, writeGrid } from './sheets/grid-sheet.ts';
import type { WrittenTable } from './sheets/table-sheet.ts';

interface ListedSheet {
  readonly sheet: string;
  readonly text: string;
  readonly rows?: number;
  readonly isPrinted: boolean;
}

/** Writes the list of sheets, with a link to each and the number of its rows. */
export async function writeContents(
  book: Package,
  tables: readonly WrittenTable[],
  footer: SheetTail['footer'],
): Promise<void> {
  const entries = entriesOf(tables);
  await writeGrid(book, {
    name: CONTENTS,
    rank: 1,
    tab: TABS.about,
    isPrinted: false,
    headers: ['Sheet', 'Contents', 'Rows', 'On paper'],
    widths: [20, 104, 12, 12],
    frozenColumns: 1,
    rows: entries.map(({ sheet, text, rows, isPrinted }): GridCell[] => [
      {
        content: { text: sheet },
        style: { ...LINK, wrap: true },
        link: { to: `${quoteSheet(sheet)}!A1`, tip: `To ${sheet}` },
      },
      { content: { text }, style: { wrap: true } },
      rows === undefined ? undefined : { content: { number: String(rows) }, style: { format: '#,##0', wrap: true } },
      {
        content: { text: isPrinted ? 'Yes' : 'No' },
        style: { wrap: true, align: 'left', indent: 1 },
      },
    ]),
    footer,
  });
}

const PIVOT_ENTRY: ListedSheet = {
  sheet: PIVOT_SHEET,
  text: 'Hours by project and kind of line, with slicers: computed from Data when the file is opened.',
  isPrinted: false,
};

const CAUSES_ENTRY: ListedSheet = {
  sheet: CAUSES,
  text: 'Oddities in the data by cause and person, each with what to do.',
  isPrinted: true,
};

function entriesOf(tables: readonly WrittenTable[]): ListedSheet[] {
  const data = tables.find(({ role }) => role === 'data');
  const of = (role: WrittenTable['role']) => tables.filter((table) => table.role === role).flatMap(partEntries);
  return [
    { sheet: 'Summary', text: 'Key figures, a commentary, findings and checks.', isPrinted: true },
    { sheet: 'Parameters', text: 'The parameters of the report, and where its data come from.', isPrinted: true },
    ...of('report'),
    ...of('subtotals'),
    ...of('months'),
    ...of('bridge'),
    ...of('earned'),
    ...of('changed'),
    ...(hasPivot(data) ? [PIVOT_ENTRY] : []),
    ...(data ? partEntries(data) : []),
    { sheet: 'Checks', text: 'Each tie-out as a live formula.', isPrinted: false },
    ...(tables.some(({ role }) => role === 'quality') ? [CAUSES_ENTRY] : []),
    ...of('quality'),
    { sheet: 'Definitions', text: 'The meaning of every column of these sheets.', isPrinted: false },
  ];
}

function partEntries({ role, sheet, parts, rowCount, layout }: WrittenTable): ListedSheet[] {
  const groups = layout.wanted ? ' The buttons above the columns show further columns.' : '';
  const order = layout.groupedBy ? ', sorted by project' : '';
  const texts = {
    report: `${sheet} with their totals.${groups}`,
    subtotals: 'The same rows in groups, each with its sum; the buttons beside the rows fold the groups.',
    months: `Every month of the window with its totals.${groups}`,
    bridge: 'The effects that lead from the plan to date to the actual amount, by project.',
    earned: 'Earned value of the whole life up to the cutoff; what is made of other columns is a formula.',
    changed: 'The lines behind a difference, then and now, each with what it contributes and why.',
    data: `The lines of the ledger in the window${order}: every number is a sum of them.`,
    quality: 'Oddities in the data, record by record.',
  };
  return parts.map((part, i) => ({
    sheet: part.sheet,
    text: i === 0 ? texts[role] : `The rest of ${sheet}.`,
    ...(i === 0 ? { rows: rowCount } : {}),
    isPrinted: !['changed', 'data', 'quality'].includes(role),
  }));
}
