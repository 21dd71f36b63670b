import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { writeTemplateBook } from './template-book.ts';
import { allTables, exampleRows, leastTables, type TemplateTable } from './template-tables.ts';

/** The folders and files of a template, in a folder that exists. */
export const TEMPLATE_PARTS = ['least', 'all', 'template.xlsx', 'fields.md'] as const;

/** Writes the files of a template: the least and all resources as CSV, all as a workbook, and the explanation of every field. */
export async function writeTemplate(directory: string, now: Date): Promise<void> {
  const [least, all] = [leastTables(), allTables()];
  for (const [folder, tables] of [
    ['least', least],
    ['all', all],
  ] as const) {
    await mkdir(join(directory, folder));
    for (const table of tables) await writeFile(join(directory, folder, `${table.resource}.csv`), formatCsv(table));
  }
  await writeFile(join(directory, 'fields.md'), formatFieldsPage(all));
  await pipeline(writeTemplateBook(all, now), createWriteStream(join(directory, 'template.xlsx')));
}

function formatCsv(table: TemplateTable): string {
  const rows = [table.columns.map(({ field }) => field), ...exampleRows(table)];
  return rows.map((row) => `${row.map(formatCell).join(',')}\n`).join('');
}

function formatCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function formatFieldsPage(tables: readonly TemplateTable[]): string {
  const sections = tables.flatMap(({ resource, columns }) => [
    `## ${resource}`,
    '',
    '| field | type | comment |',
    '|---|---|---|',
    ...columns.map(({ field, type, comment }) => `| ${field} | ${type} | ${comment} |`),
    '',
  ]);
  return ['# The fields of the template', '', ...sections].join('\n');
}
