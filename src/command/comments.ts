import { AppError } from '../error.ts';
import type { SheetRow } from '../spreadsheet/sheet-rows.ts';
import { openSpreadsheet } from '../spreadsheet/spreadsheet.ts';

const [SHEET, KEY, COMMENT] = ['Projects', 'Project id', 'Comment'];

/**
 * Reads the comments of a workbook of projects, by project id.
 * @throws AppError usage for a file without the sheet or one of its columns.
 */
export async function readComments(path: string): Promise<Map<string, string>> {
  const [header, ...rows] = await readSheet(path);
  const places = [KEY, COMMENT].map((name) => {
    const found = [...(header?.cells ?? [])].find(([, { text }]) => text === name);
    if (found) return found[0];
    throw new AppError('usage', `${path}: the sheet ${SHEET} has no column ${name}`, {
      hint: `Give a workbook of the report projects, whose sheet ${SHEET} begins with the row of its headers.`,
    });
  });
  const [key = 0, comment = 0] = places;
  const comments = new Map<string, string>();
  for (const { cells } of rows) {
    const [id, text] = [cells.get(key)?.text, cells.get(comment)?.text];
    if (id !== undefined && /^\d+$/.test(id) && text !== undefined) comments.set(id, text);
  }
  return comments;
}

async function readSheet(path: string): Promise<SheetRow[]> {
  const sheets = await openSpreadsheet(path);
  const sheet = sheets.find(({ name }) => name === SHEET);
  if (!sheet) {
    const names = sheets.map(({ name }) => name).join(', ');
    throw new AppError('usage', `${path} has no sheet ${SHEET}`, {
      hint: names === '' ? 'Give a workbook of the report projects.' : `It has ${names}.`,
    });
  }
  const all: SheetRow[] = [];
  for await (const rows of sheet.rows()) all.push(...rows);
  return all;
}
