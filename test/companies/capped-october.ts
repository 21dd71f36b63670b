import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OCTOBER } from '../sql/company.ts';

/** The projects that are agreed to be capped. */
const CAPPED = ['105', '115'];

/** Writes the records of the consultancy at the end of October 2026 into a folder, with the contracts of its capped projects. */
export function writeCappedOctober(folder: string): void {
  cpSync(OCTOBER, folder, { recursive: true });
  const [header = '', ...projects] = readFileSync(join(OCTOBER, 'projects.csv'), 'utf8').trim().split(/\r?\n/);
  const withContract = (row: string) => `${row},${CAPPED.includes(row.split(',')[0] ?? '') ? 'capped' : ''}`;
  writeFileSync(join(folder, 'projects.csv'), [`${header},contract`, ...projects.map(withContract)].join('\n'));
}

/** The consultancy's totals by window, by hand and by a program of its own. */
export const OCTOBER_TOTALS: Readonly<Record<string, Record<string, string>>> = (() => {
  const { $comment: _, ...totals } = JSON.parse(readFileSync(`${OCTOBER}-totals.json`, 'utf8'));
  return totals;
})();
