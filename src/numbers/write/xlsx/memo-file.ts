import {
  formatHead,
  formatTail,
  openArchive,
  openPackage,
  type Package,
  QUIET,
  TITLE,
} from '../../../../packages/xlsx/index.ts';
import type { Memo } from '../../report/workbook/workbook.ts';
import { APPLICATION } from './application.ts';
import { formatRow } from './sheets/grid-sheet.ts';
import { BLANK, COLUMNS, placeCells, text } from './summary/summary-block.ts';
import { listBlock } from './summary/summary-lists.ts';
import { fitWidths } from './summary/summary-widths.ts';

/** The height of the line of the title. Unit: points. */
const TITLE_POINTS = 28;

/** Writes the page about a closing as a workbook of one sheet, which prints on one page. @param now The time in its properties. */
export async function* writeMemo(memo: Memo, now: Date): AsyncIterable<Buffer> {
  const archive = openArchive(now);
  const writing = writeSheet(openPackage(archive), memo, now).catch((error) => archive.fail(error));
  yield* archive.bytes;
  await writing;
}

async function writeSheet(book: Package, memo: Memo, now: Date): Promise<void> {
  const { label, company, subject, day, currency, minorUnits, widths, lists } = memo;
  const part = book.openSheet(label, 0);
  const title = [
    placeCells({ [COLUMNS.label]: text(company ?? 'Plumbline', QUIET) }),
    { ...placeCells({ [COLUMNS.label]: text(`${label}: ${subject}`, TITLE) }), height: TITLE_POINTS },
    placeCells({ [COLUMNS.label]: text(`Amounts in ${currency}`, QUIET) }),
    BLANK,
  ];
  const block = listBlock(lists, [], { minor_units: minorUnits }, title.length + 1);
  const lines = [...title, ...block.lines];
  await part.entry.write(formatHead({ widths: fitWidths(lines, widths), isFirst: true }));
  for (const [i, { cells, height }] of lines.entries()) await part.entry.write(formatRow(part, i + 1, cells, height));
  const footer = { left: `${label}: ${subject}`, right: day };
  await part.entry.write(formatTail({ footer, links: part.links, pages: { across: 1, isOneLong: true } }));
  await part.end();
  await book.end({
    application: APPLICATION,
    title: footer.left,
    subject: `${label} of ${company ?? 'the company'}`,
    description: `What the closing ${subject} was, and what has come since, by Plumbline.`,
    created: now.toISOString(),
  });
}
