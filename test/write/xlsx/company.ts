import { dirname } from 'node:path';
import exceljs from 'exceljs';
import { type Database, openDatabase } from '../../../src/base/database/database.ts';
import { loadBundled } from '../../sql/company.ts';

interface Company {
  readonly database: Database;
  readonly folder: string;
  readonly file: string;
  readonly close: () => Promise<void>;
}

export async function openCompany(): Promise<Company> {
  const { file, remove } = await loadBundled();
  const database = await openDatabase(file, { readOnly: true });
  return {
    database,
    folder: dirname(file),
    file,
    async close() {
      await database.close();
      remove();
    },
  };
}

/** Reads a workbook with an independent library. */
export async function readExcel(bytes: Buffer): Promise<exceljs.Workbook> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(bytes as unknown as ArrayBuffer);
  return workbook;
}
