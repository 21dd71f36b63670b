import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import exceljs from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/cli.ts';
import { readComments } from '../../../src/doors/command/comments.ts';
import { MAX_LIST_BYTES } from '../../../src/records/spreadsheet/book-contents.ts';
import { archive } from './archive.ts';
import { openCompany } from './company.ts';

const company = await openCompany();
afterAll(() => company.close());
const file = join(company.folder, 'commented.duckdb');
const now = new Date('2026-06-15T12:00:00Z');
const path = (name: string) => join(company.folder, name);

async function run(output: string, ...more: string[]) {
  const [stdout, stderr] = [0, 1].map(() => Object.assign(new PassThrough(), { isTTY: false }));
  const words: Buffer[] = [];
  stderr?.on('data', (chunk) => words.push(Buffer.from(chunk)));
  const given = ['report', 'projects', '--start-date', '2026-04-13', '--end-date', '2026-04-24', '--database', file];
  const streams = { stdout, stderr, now: () => now } as unknown as Parameters<typeof runProgram>[1];
  const code = await runProgram([...given, '--format', 'xlsx', '--output', path(output), ...more], streams);
  return { code, words: String(Buffer.concat(words)) };
}

/** Writes comments into a workbook with another program, which rewrites the whole file. */
async function comment(name: string, comments: Readonly<Record<string, string>>, commentary: string): Promise<void> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(path(name));
  const sheet = workbook.getWorksheet('Projects');
  const place = ((sheet?.getRow(1).values ?? []) as string[]).indexOf('Comment');
  sheet?.eachRow((row) => {
    const text = comments[row.getCell(1).text];
    if (text !== undefined) row.getCell(place).value = text;
  });
  const summary = workbook.getWorksheet('Summary');
  const [, box = ''] = (workbook.definedNames.getRanges('Commentary').ranges[0] ?? '').split('!');
  if (summary) summary.getCell(box.replaceAll('$', '')).value = commentary;
  await workbook.xlsx.writeFile(path(name));
}

async function notesOf(name: string): Promise<string> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(path(name));
  const texts: string[] = [];
  workbook.getWorksheet('Summary')?.eachRow((row) => row.eachCell((cell) => texts.push(cell.text)));
  return texts.join('\n');
}

describe('--comments-from', () => {
  beforeAll(() => copyFileSync(company.file, file));

  it('takes over what readers wrote, by project, and tells the comments of projects that are gone', {
    tags: ['slow'],
  }, async () => {
    const written = {
      '509': 'Agreed with <Ann> & "Bo": 50 %\nnext week',
      '507': '=1+1 is no formula',
      '599': 'Who is it?',
    };
    const commentary = 'Margin is up,\nfor "rates" & <mix> rose.';
    expect((await run('first.xlsx')).code).toBe(0);
    expect(await readComments(path('first.xlsx'))).toEqual({ byProject: new Map(), commentary: undefined });
    await comment('first.xlsx', written, commentary);
    const read = await readComments(path('first.xlsx'));
    expect(read).toEqual({ byProject: new Map(Object.entries(written)), commentary });
    const { code, words } = await run('second.xlsx', '--comments-from', path('first.xlsx'));
    expect(code, words).toBe(0);
    expect(await readComments(path('second.xlsx'))).toEqual(read);
    const { code: third } = await run('third.xlsx', '--comments-from', path('second.xlsx'), '--project-id', '507');
    expect(third).toBe(0);
    expect(await readComments(path('third.xlsx'))).toEqual({
      byProject: new Map([['507', '=1+1 is no formula']]),
      commentary,
    });
    expect(await notesOf('third.xlsx')).toContain(
      `The comment on project 509, which is not in this report: ${written['509']}`,
    );
  });

  it.each([
    ['a file that is missing', 'gone.xlsx', undefined, 'no such file or directory'],
    ['a text', 'text.xlsx', Buffer.from('Project id,Comment\n1,a\n'), 'is not a workbook: it is no zip archive'],
    ['an empty file', 'empty.xlsx', Buffer.alloc(0), 'is not a workbook: it is no zip archive'],
    ['an archive without sheets', 'other.xlsx', archive({ 'a.txt': 'a' }), 'it has no part xl/workbook.xml'],
    ['a workbook of others', 'sheets.xlsx', archive({ 'xl/workbook.xml': '<workbook/>' }), 'has no sheet Projects'],
    [
      'a part that is no XML',
      'broken.xlsx',
      archive({ 'xl/workbook.xml': '<workbook><sheet' }),
      "is damaged: its part xl/workbook.xml isn't XML",
    ],
  ])('refuses %s in a sentence', async (_, name, bytes, message) => {
    if (bytes) writeFileSync(path(name), bytes);
    const { code, words } = await run('none.xlsx', '--comments-from', path(name));
    expect(code).toBe(2);
    expect(words).toContain(path(name));
    expect(words).toContain(message);
  });

  it('refuses a list of sheets that is larger than any real one', async () => {
    writeFileSync(path('bomb.xlsx'), archive({ 'xl/workbook.xml': Buffer.alloc(MAX_LIST_BYTES + 1, 32) }));
    const { code, words } = await run('none.xlsx', '--comments-from', path('bomb.xlsx'));
    expect(words).toContain(`its part xl/workbook.xml has ${MAX_LIST_BYTES + 1} bytes, more than ${MAX_LIST_BYTES}`);
    expect(code).toBe(1);
  });

  it('is refused for other formats and for rows that are not one for each project', { tags: ['slow'] }, async () => {
    const csv = await run('none.csv', '--comments-from', path('first.xlsx'), '--format', 'csv');
    expect(csv.words).toContain('--comments-from: only a workbook has comments, and the format is csv');
    const weeks = await run('none.xlsx', '--comments-from', path('first.xlsx'), '--interval', 'week');
    expect(weeks.words).toContain('only a workbook of projects without an interval has comments');
    expect([csv.code, weeks.code]).toEqual([2, 2]);
  });
});
