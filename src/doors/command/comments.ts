import { AppError } from '../../base/index.ts';
import type { WrittenComments } from '../../numbers/report/workbook/workbook.ts';
import { openSpreadsheet, type SheetRow } from '../../records/spreadsheet/index.ts';

const [SHEET, KEY, COMMENT] = ['Projects', 'Project id', 'Comment'];

/** The sheet with the commentary, and the first word of the heading above it. */
const [SUMMARY, HEADING] = ['Summary', 'Commentary'];

type Sheets = Awaited<ReturnType<typeof openSpreadsheet>>;

/**
 * Reads what the readers of a workbook wrote: comments by project, and the commentary on Summary.
 * @throws AppError usage for a file with neither a commentary nor the sheet of comments with its columns.
 */
export async function readComments(path: string): Promise<WrittenComments> {
  const sheets = await openSpreadsheet(path);
  const { hasBox, commentary } = await readCommentary(sheets);
  const isOther = hasBox && !sheets.some(({ name }) => name === SHEET);
  return { byProject: isOther ? new Map() : await readByProject(path, sheets, hasBox), commentary };
}

/** Returns the text below the heading of the commentary, and whether there is one. */
async function readCommentary(sheets: Sheets): Promise<{ hasBox: boolean; commentary: string | undefined }> {
  const rows = await rowsOf(sheets, SUMMARY);
  for (const [i, { number, cells }] of rows.entries()) {
    const heading = [...cells].find(([, { text }]) => text.startsWith(`${HEADING}: `));
    if (!heading) continue;
    const below = rows.slice(i + 1).find((row) => row.number === number + 1);
    const text = below?.cells.get(heading[0])?.text ?? '';
    return { hasBox: true, commentary: text.trim() === '' ? undefined : text };
  }
  return { hasBox: false, commentary: undefined };
}

async function readByProject(path: string, sheets: Sheets, hasBox: boolean): Promise<Map<string, string>> {
  const comments = new Map<string, string>();
  if (!sheets.some(({ name }) => name === SHEET)) throw noSheet(path, sheets);
  const [header, ...rows] = await rowsOf(sheets, SHEET);
  const places = [KEY, COMMENT].map((name) => [...(header?.cells ?? [])].find(([, { text }]) => text === name)?.[0]);
  const missing = places.indexOf(undefined);
  // A workbook by month has the commentary, but no comments by project.
  if (missing >= 0 && hasBox) return comments;
  if (missing >= 0) {
    throw new AppError('usage', `${path}: the sheet ${SHEET} has no column ${[KEY, COMMENT][missing]}`, {
      hint: `Give a workbook of the report projects, whose sheet ${SHEET} begins with the row of its headers.`,
    });
  }
  const [key = 0, comment = 0] = places;
  for (const { cells } of rows) {
    const [id, text] = [cells.get(key)?.text, cells.get(comment)?.text];
    if (id !== undefined && /^\d+$/.test(id) && text !== undefined) comments.set(id, text);
  }
  return comments;
}

async function rowsOf(sheets: Sheets, name: string): Promise<SheetRow[]> {
  const all: SheetRow[] = [];
  const sheet = sheets.find((each) => each.name === name);
  if (sheet) for await (const rows of sheet.rows()) all.push(...rows);
  return all;
}

function noSheet(path: string, sheets: Sheets): AppError {
  const names = sheets.map(({ name }) => name).join(', ');
  return new AppError('usage', `${path} has no sheet ${SHEET}`, {
    hint: names === '' ? 'Give a workbook of the report projects.' : `It has ${names}.`,
  });
}
