import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { loadDataset } from '../../../src/command/load-command.ts';
import { type Database, openDatabase } from '../../../src/database/database.ts';

interface Company {
  readonly database: Database;
  readonly folder: string;
  readonly file: string;
  readonly close: () => Promise<void>;
}

export async function openCompany(): Promise<Company> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-xlsx-'));
  const file = join(folder, 'company.duckdb');
  await loadDataset('fixtures/company', file);
  const database = await openDatabase(file, { readOnly: true });
  return {
    database,
    folder,
    file,
    async close() {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Reads a workbook with an independent library. */
export async function readExcel(bytes: Buffer): Promise<exceljs.Workbook> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(bytes as unknown as ArrayBuffer);
  return workbook;
}
