import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../../base/config/index.ts';
import { type Company, todayOf } from '../../../numbers/report/catalogue/index.ts';
import { readCompany } from '../../../numbers/report/source/index.ts';
import { openGeneration, readCatalogues } from '../../../store/generation/index.ts';
import { type CheckedAgainst, UNKNOWN_COMPANY } from '../setup/read-setup.ts';

export interface CheckedCompany extends CheckedAgainst {
  readonly timeZone: string;
  /** False if there is no database, whose settings the moments depend on. */
  readonly isKnown: boolean;
}

/** Reads what a file of deliveries is checked against: the company of the database, if there is one. */
export async function readCheckedCompany(config: Config, now: Date): Promise<CheckedCompany> {
  const file = resolve(config.database);
  const isKnown = existsSync(file);
  const company = isKnown ? await readCompanyOf(file, config.memoryLimitMib) : UNKNOWN_COMPANY;
  const today = todayOf(company as Company, now);
  return { catalogues: readCatalogues(), days: { today, company }, timeZone: company.timeZone, isKnown };
}

async function readCompanyOf(file: string, memoryLimitMib: number): Promise<Company> {
  const database = await openGeneration(file, { memoryLimitMib });
  return readCompany(database).finally(() => database.close());
}
