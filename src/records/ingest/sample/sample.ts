import { basename, dirname, join } from 'node:path';
import { assertRegularFile, formatForeign } from '../../../base/index.ts';
import { settingsResource } from '../../resource/company-resources.ts';
import { resources } from '../../resource/resources.ts';
import { checkHeaderLength } from '../mapping/header.ts';
import { isCsvName, isJsonName, isWorkbookName, matchResource } from '../reading/file-names.ts';
import { isWorkbook, readEntries } from '../reading/folder-entries.ts';
import { MAX_SAMPLE_CELLS, readJsonTables } from '../reading/json-tables.ts';
import { openSheets } from '../reading/sheets.ts';
import { MAX_SAMPLE_ROWS, readFirstLines, readFirstRows, type SampleCell } from './first-rows.ts';
import { findHeaderRow } from './header-words.ts';

/** A file, a sheet, or a list of a JSON file, with its headers and the first rows above and below them. */
export interface Sample {
  readonly file: string;
  readonly sheet: string | undefined;
  readonly headers: readonly string[];
  readonly above: readonly (readonly SampleCell[])[];
  readonly rows: readonly (readonly SampleCell[])[];
}

/** Reads the first rows of the CSV files, sheets and JSON files of other services in a directory, or of a workbook. @throws AppError limit for too long a header. */
export async function readSamples(directory: string): Promise<Sample[]> {
  const isBook = await isWorkbook(directory);
  const folder = isBook ? dirname(directory) : directory;
  const names = isBook ? [basename(directory)] : (await readEntries(folder)).sort();
  const samples: Sample[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const isForeignJson = isJsonName(name) && matchResource(name, [settingsResource, ...resources]) === undefined;
    if (isCsvName(name) || isForeignJson || isWorkbookName(name)) await assertRegularFile(path);
    if (isForeignJson) samples.push(...(await readLists(path, name)));
    if (isCsvName(name)) samples.push(sampleOf(name, undefined, await readFirstLines(path, name, findHeaderRow)));
    if (!isWorkbookName(name)) continue;
    for (const sheet of await openSheets(path)) samples.push(sampleOf(name, sheet.name, await readFirstRows(sheet)));
  }
  for (const sample of samples) checkHeaderLength(sample.headers, titleOf(sample));
  return samples.filter(({ headers }) => headers.length > 0);
}

/** Reads the first records of the lists in a JSON file; none if it is no export. */
async function readLists(path: string, name: string): Promise<Sample[]> {
  const { tables } = await readJsonTables(path, name, MAX_SAMPLE_ROWS);
  return tables.map(({ list, headers, rows }) => ({
    file: name,
    sheet: tables.length > 1 ? list : undefined,
    headers,
    above: [],
    rows: rows.slice(0, Math.ceil(MAX_SAMPLE_CELLS / headers.length)).map((row) =>
      headers.map((header) => {
        const { text = '', isJson = false } = row.get(header) ?? {};
        return { text, isNumber: isJson && /[0-9]/.test(text) };
      }),
    ),
  }));
}

function sampleOf(file: string, sheet: string | undefined, rows: readonly (readonly SampleCell[])[]): Sample {
  const at = findHeaderRow(rows.map((row) => row.map(({ text }) => text)));
  const headers = (rows[at] ?? []).map(({ text }) => text.trim());
  return { file, sheet, headers, above: rows.slice(0, at), rows: rows.slice(at + 1) };
}

export function titleOf({ file, sheet }: Sample): string {
  return formatForeign(sheet === undefined ? file : `${file}, sheet ${sheet}`);
}
