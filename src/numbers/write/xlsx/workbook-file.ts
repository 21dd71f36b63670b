import {
  type Archive,
  MAX_SHEET_LINKS,
  openArchive,
  openPackage,
  type Package,
  TooLargeError,
} from '../../../../packages/xlsx/index.ts';
import { AppError } from '../../../base/index.ts';
import type { Meta } from '../../report/catalogue/table.ts';
import type { Cover } from '../../report/workbook/workbook.ts';
import { APPLICATION } from './application.ts';
import { writeCauses } from './causes-sheet.ts';
import { writeContents } from './contents-sheet.ts';
import { writeChecks, writeDefinitions, writeParameters } from './cover-sheets.ts';
import { writePivot } from './pivot-sheet.ts';
import { collectChecks } from './sheets/checks.ts';
import { openSubtotalSheet } from './sheets/subtotal-sheet.ts';
import { openTableSheet, type TableSheet, type WorkbookContext, type WrittenTable } from './sheets/table-sheet.ts';
import type { TableFacts, WorkbookMessage } from './sheets/worker-messages.ts';
import { writeSummary } from './summary/summary-sheet.ts';

/**
 * Writes a workbook from its messages: tables in order, then the sheets that summarize them.
 * @throws AppError check when the workbook doesn't tie out, limit when it is too large for a file.
 */
export async function* writeParts(parts: AsyncIterable<WorkbookMessage>): AsyncIterable<Buffer> {
  const iterator = parts[Symbol.asyncIterator]();
  const { value: first } = await iterator.next();
  if (!first || !('cover' in first)) throw new AppError('internal', 'A workbook begins with its cover');
  const archive = openArchive(new Date(first.cover.meta.generated_at));
  const writing = writeSheets(archive, first, { [Symbol.asyncIterator]: () => iterator }).catch((error) => {
    archive.fail(error instanceof TooLargeError ? limitError(error) : error);
  });
  yield* archive.bytes;
  await writing;
}

function limitError({ message }: TooLargeError): AppError {
  return new AppError('limit', message, { hint: 'Ask for a shorter window, or for another format.' });
}

async function writeSheets(
  archive: Archive,
  { cover, rowLimit }: Extract<WorkbookMessage, { cover: Cover }>,
  parts: AsyncIterable<WorkbookMessage>,
): Promise<void> {
  const book = openPackage(archive);
  const { meta } = cover;
  const footer = {
    left: `${cover.label}, ${meta.parameters['start_date']} to ${meta.parameters['end_date']}`,
    right: `Data version ${meta.data_version}`,
  };
  const setting: WorkbookContext = { meta, footer, rowLimit, lineSums: cover.lineSums };
  const tables: WrittenTable[] = [];
  let current: TableSheet | undefined;
  for await (const part of parts) {
    if ('rows' in part) await current?.add(part.rows);
    else if (current) tables.unshift(await current.end());
    if ('table' in part) current = openSheetOf(book, part.table, setting, tables);
    if ('end' in part) break;
  }
  const checks = collectChecks(tables, meta);
  const { pages } = cover;
  const data = tables.find(({ layout }) => layout.hasLines);
  if (data) await writePivot(book, data, pages.pivot, footer);
  await writeChecks(book, checks, pages.checks, footer);
  if (tables.some(({ layout }) => layout.tallied)) await writeCauses(book, cover, footer);
  await writeDefinitions(book, tables, cover, footer);
  await writeParameters(book, cover, footer);
  await writeContents(book, tables, pages, footer);
  await writeSummary(book, { cover, tables, checks, notes: notesOf(tables, meta), footer });
  await book.end({
    application: APPLICATION,
    title: footer.left,
    subject: `${cover.label} of ${cover.company ?? 'the company'}`,
    description: `The report ${meta.report} by Plumbline, ${footer.right}, in ${meta.currency}.`,
    created: meta.generated_at,
  });
}

function openSheetOf(
  book: Package,
  facts: TableFacts,
  setting: WorkbookContext,
  tables: readonly WrittenTable[],
): TableSheet {
  if (facts.layout.hasGroups) return openSubtotalSheet(book, facts, setting);
  return openTableSheet(book, facts, setting, tables);
}

/** Returns notes on hidden columns, overlapping rows, split tables and truncated texts. */
function notesOf(tables: readonly WrittenTable[], { hidden_columns: hidden = [] }: Meta): string[] {
  return [
    ...(hidden.length > 0 ? ['Columns that reveal a cost are left out: they need the scope rates.'] : []),
    ...new Set(tables.flatMap(({ notes }) => notes)),
    ...tables.flatMap(({ sheet, parts }) =>
      parts.length > 1
        ? [
            `${sheet} continues on ${parts
              .slice(1)
              .map((part) => part.sheet)
              .join(', ')}: a sheet holds 1,048,576 rows.`,
          ]
        : [],
    ),
    ...tables.flatMap(({ sheet, unlinked }) =>
      unlinked > 0
        ? [`${unlinked} rows of ${sheet} have counts without links: Excel takes ${MAX_SHEET_LINKS} links on a sheet.`]
        : [],
    ),
    ...tables.flatMap(({ sheet, cut }) =>
      [...cut].map(
        ([header, count]) =>
          `${count} ${count === 1 ? 'text' : 'texts'} of ${sheet}, ${header}, cut to the 32,767 characters that a cell holds; JSON and CSV have them whole.`,
      ),
    ),
  ];
}
