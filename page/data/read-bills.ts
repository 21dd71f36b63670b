import { signal } from '@preact/signals';
import type { Answer } from './answer.ts';
import { readJson } from './api.ts';
import { type Catalogue, columnsOf, pathOf } from './catalogue.ts';
import { WHOLE_LIFE } from './days.ts';

/**
 * True if the company has invoices or write-offs; undefined until that is known, and where it can't be read. Without any, measures of
 * bills are unknown, and the page leaves them out (M6). It must not change which answers a screen asks for: with another one, the screen asks for all of them again.
 */
export const hasBills = signal<boolean | undefined>(undefined);

/** A day before all lines: what a company without bills has on no day is unknown there, and 0 in one that has some. */
const NO_DAY = WHOLE_LIFE.start_date;

/** Reads whether the company has bills. */
export async function readHasBills(ended: AbortSignal): Promise<void> {
  const query = new URLSearchParams({ start_date: NO_DAY, end_date: NO_DAY, fields: 'project_id,invoiced' });
  // A server without data, and a reader without reports, have other screens.
  const answer = await readJson<Answer>(`/v3/reports/projects?${query}&decimals=string`, ended).catch(() => undefined);
  if (!ended.aborted) hasBills.value = answer && (answer.totals?.['invoiced'] ?? null) !== null;
}

/** Returns the path of measures of bills of projects, of those that the reader sees. */
export function pathOfBills(
  catalogue: Catalogue,
  names: readonly string[],
  own: Readonly<Record<string, string>> = {},
): string {
  const fields = columnsOf(catalogue, 'projects', ['project_id', ...names]).map(({ name }) => name);
  return pathOf(catalogue, 'projects', { ...own, fields: fields.join(',') });
}
