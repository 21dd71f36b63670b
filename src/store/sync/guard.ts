import { type Database, quoteText, zoned } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { findResource } from '../../records/resource/index.ts';
import { countRates, isShrunk, readOtherCurrency } from '../generation/shrink-guard.ts';
import { SERVICE } from '../live/store.ts';
import { RATES } from '../rates/rates-writer.ts';
import { SYNC } from './merge.ts';
import type { ComparedList, ComparedRecords, DifferenceCount, LoadedRecords } from './record-differences.ts';

/** Checks that a run doesn't lose what a source in trouble would lack. @throws AppError input if it does. */
export async function assertKept(
  session: Database,
  { load, lists, settings, areGiven, differences }: ComparedRecords,
): Promise<void> {
  if (!load) return;
  await assertRatesKept(session, lists);
  // A settings file is its owner's word.
  if (!areGiven && settings !== undefined) await assertCurrencyKept(session);
  await assertNoShrink(session, differences);
}

/**
 * Checks that a run doesn't lose a large part of a resource, as it would with a failing source (5.1).
 * @throws AppError input with every such resource.
 */
async function assertNoShrink(session: Database, counts: readonly DifferenceCount[]): Promise<void> {
  const shrunk: string[] = [];
  for (const { resource, count: gone } of counts.filter(({ what }) => what === 'gone')) {
    const [row] = await session.rows<{ before: number }>(
      `SELECT count(*) AS before FROM ${findResource(resource).table}`,
    );
    if (row && isShrunk({ ...row, gone })) shrunk.push(`${gone} of ${row.before} ${resource}`);
  }
  if (shrunk.length === 0) return;
  throw new AppError('input', `The source no longer has ${shrunk.join(' and ')}`, {
    hint: 'Nothing was changed. If these records were really deleted there, run the sync once with --accept-shrink.',
  });
}

/**
 * Checks that the settings of a source keep the currency, without which every amount would have another meaning.
 * @throws AppError input if the currency differs and the database has people.
 */
async function assertCurrencyKept(session: Database): Promise<void> {
  const people = await session.rows('SELECT 1 FROM source.people LIMIT 1');
  const changed = await readOtherCurrency(session, '', 'pulled.');
  if (people.length === 0 || !changed) return;
  throw new AppError(
    'input',
    `The source has the currency ${changed.after}, and the amounts in the database are in ${changed.before}`,
    {
      hint: 'Nothing was changed. Give the settings of the company with --settings in each run, or run the sync once with --accept-shrink if the currency is really another one.',
    },
  );
}

/** The records that identify a company, and the field that must match besides the id. */
const IDENTITIES = [
  { resource: 'accounts', also: 'email' },
  { resource: 'people', also: 'name' },
] as const;

/**
 * Checks that the source is the company whose records the database holds: they share an account or a person.
 * @throws AppError input if they share neither.
 */
export async function assertSameCompany(
  session: Database,
  { pulled, lists }: LoadedRecords,
  url: string,
): Promise<void> {
  const strange: string[] = [];
  for (const { resource, also } of IDENTITIES) {
    const { table, id } = findResource(resource);
    // An unchanged list isn't loaded: its records are those of the last run, so the company is the same.
    if (pulled.resources.some((each) => each.resource === resource && each.isUnchanged && each.read > 0)) return;
    if (!lists.some((list) => list.isWhole && list.resource.name === resource)) continue;
    const [row] = await session.rows<{ stored: number; come: number; shared: number }>(`
      SELECT (SELECT count(*) FROM ${table}) AS stored, (SELECT count(*) FROM pulled.${table}) AS come,
        (SELECT count(*) FROM ${table} AS stored JOIN pulled.${table} AS come USING (${id})
          WHERE lower(stored.${also}) IS NOT DISTINCT FROM lower(come.${also})) AS shared`);
    if (!row || row.stored === 0 || row.come === 0) continue;
    if (row.shared > 0) return;
    strange.push(`none of its ${row.come} ${resource} is among the ${row.stored} there`);
  }
  if (strange.length === 0) return;
  throw new AppError('input', `${url} is another company than the database holds: ${strange.join(', and ')}`, {
    hint: 'Nothing was changed. Name another database with --database, or check the URL and the token.',
  });
}

/**
 * Checks that only syncs have changed the records: a sync would silently undo other changes, but for what was decided about rates seen.
 * @throws AppError input that names the last such change.
 */
export async function assertNoLocalChanges(reader: Pick<Database, 'rows'>): Promise<void> {
  const labels = [SYNC, SERVICE, RATES].map(({ label }) => quoteText(label)).join(', ');
  const [change] = await reader.rows<{ resource: string; record_id: string; changed_at: string }>(`
    SELECT resource, record_id, ${zoned('changed_at')} AS changed_at FROM service.changes
    WHERE token_id <> '' OR token_label NOT IN (${labels}) ORDER BY change_id DESC LIMIT 1`);
  if (!change) return;
  throw new AppError(
    'input',
    `The database has changes of its own, which a sync would undo: the last is ${change.resource} record ${change.record_id}, at ${change.changed_at}`,
    { hint: 'Nothing was changed. Sync into a database of its own: name one with --database.' },
  );
}

/**
 * Checks that a run doesn't lose every cost rate, as it would with a token without the right to read them.
 * @throws AppError input if the source shows no cost rate and the database has some.
 */
async function assertRatesKept(session: Database, lists: readonly ComparedList[]): Promise<void> {
  if (!lists.some(({ resource, isWhole }) => isWhole && resource.name === 'people')) return;
  const [row] = await session.rows<{ stored: number; come: number }>(
    `SELECT ${countRates('')} AS stored, ${countRates('pulled.')} AS come`,
  );
  if (!row || row.stored === 0 || row.come > 0) return;
  throw new AppError('input', `The source shows no cost rate, and the database has ${row.stored}`, {
    hint: 'Nothing was changed. Give the token the right to read rates; if they were really deleted there, run the sync once with --accept-shrink.',
  });
}

export async function noteUnknownCosts(session: Database): Promise<string[]> {
  const [row] = await session.rows<{ rates: number; people: number }>(
    `SELECT ${countRates('')} AS rates, (SELECT count(*) FROM source.people) AS people`,
  );
  if (!row || row.people === 0 || row.rates > 0) return [];
  return ['There is no cost rate, so costs are unknown. The token may lack the right to read rates.'];
}
