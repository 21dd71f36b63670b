import { expect } from 'vitest';
import { Exact } from '../../src/exact-decimal.ts';
import { CAUSES } from '../../src/report/catalogue/change-causes.ts';
import { catalogue, companyOf, type Row } from '../sql/company.ts';
import { CHANGE_KINDS, changeAnything } from './change-kinds.ts';
import { makeCompany, makeRandom, type Random, recordsOf, WINDOW } from './changed-records.ts';
import { type BuiltState, buildState, compareStates } from './compared-company.ts';

/** The measures that have causes: sums of lines, and budgets. */
const MEASURES = [...catalogue.measures.values()].filter(
  ({ sum, budget, group }) => (sum && group !== 'future' && group !== 'baseline') || budget,
);

const NAMES = MEASURES.map(({ name }) => name);

const SUMS = MEASURES.filter(({ sum }) => sum).map(({ name }) => name);

const DAYS = { day: '2026-04-03', cutoffDate: '2026-03-31', cutoffNow: '2026-04-20' };

/** Proves that each kind of change alone falls under its own causes alone: each project changes in another way. */
export async function proveKinds(seed: number): Promise<void> {
  const random = makeRandom(seed);
  const kinds = Object.entries(CHANGE_KINDS);
  const company = makeCompany(random, kinds.length);
  const then = await buildState(recordsOf(company));
  for (const [index, [, kind]] of kinds.entries()) kind.change(company, random, index + 1);
  const now = await buildState(recordsOf(company));
  try {
    const sent = { ...WINDOW, measures: NAMES.join(','), group_by: 'project,client,tag' };
    const { rows } = await compareStates(then, now, 'changes', sent, DAYS);
    for (const row of rows) {
      const [name, kind] = kinds[Number(row['project_id']) - 1] ?? [];
      // A row gets or loses a budget with its first or last line, whatever brings that about.
      const isInBoth =
        SUMS.includes(String(row['measure'])) || (row['value_then'] !== null && row['value_now'] !== null);
      const allowed = ['cutoff', ...(kind?.causes ?? []), ...(isInBoth ? [] : ['moved'])];
      const causes = CAUSES.filter((cause) => row[cause] !== '0' && row[cause] !== null && !allowed.includes(cause));
      expect({ name, measure: row['measure'], causes }).toEqual({ name, measure: row['measure'], causes: [] });
    }
  } finally {
    await then.close();
    await now.close();
  }
}

const GROUPS = ['', 'project', 'person,month', 'client,billable', 'tag', 'role,week', 'department,project_status'];

/** Proves that causes add up, that both values are the pivot's, and that a to b and b to c make a to c. */
export async function proveHistory(seed: number): Promise<void> {
  const random = makeRandom(seed);
  const company = makeCompany(random, 6);
  const states: BuiltState[] = [];
  try {
    for (let count = 0; count < 3; count += 1) {
      states.push(await buildState(recordsOf(company)));
      changeAnything(company, random, 6);
    }
    const [a, b, c] = states;
    const filters = [
      {},
      { billable: '1' },
      { project_id: '1,2,3' },
      { tag: 'b' },
      { people_id: '1,2,5,8' },
      { client_id: '1' },
    ];
    for (const group_by of GROUPS) {
      const filter = filters[random(filters.length)] ?? {};
      const sent = { ...WINDOW, ...filter, measures: NAMES.join(','), ...(group_by && { group_by }) };
      const compare = (then: BuiltState | undefined, now: BuiltState | undefined) =>
        compareStates(then, now, 'changes', sent, { ...DAYS, cutoffNow: DAYS.cutoffDate });
      const [ab, bc, ac] = [await compare(a, b), await compare(b, c), await compare(a, c)];
      for (const [place, total] of ac.totals.entries()) {
        const sum = [ab, bc].map(({ totals }) => totals[place]?.['difference'] ?? null);
        if (sum.includes(null) || total['difference'] === null) continue;
        expect([total['measure'], String(total['difference'])]).toEqual([total['measure'], addUp(sum)]);
      }
      await expectLines(
        a,
        c,
        random,
        ac.totals.filter(({ measure }) => SUMS.includes(String(measure))),
        sent,
      );
      await expectPivot(a, ac.rows, sent, 'value_then');
      await expectPivot(c, ac.rows, sent, 'value_now');
    }
  } finally {
    for (const state of states) await state.close();
  }
}

/** Compares the lines behind a difference with it, whether costs are seen or not. */
async function expectLines(
  then: BuiltState | undefined,
  now: BuiltState | undefined,
  random: Random,
  totals: readonly Row[],
  { measures: _, group_by: __, ...sent }: Record<string, string>,
): Promise<void> {
  const total = totals[random(totals.length)];
  const measure = String(total?.['measure']);
  const seesRates = catalogue.measures.get(measure)?.needs_rates ?? random(2) === 0;
  const days = { ...DAYS, cutoffNow: DAYS.cutoffDate };
  const { rows, table } = await compareStates(then, now, 'changed-lines', { ...sent, measure }, days, seesRates);
  const caused = addUp(CAUSES.map((cause) => total?.[cause] ?? null));
  const contributions = addUp(rows.map(({ contribution }) => contribution));
  const listed = new Exact(
    String(table.totals?.[table.columns.findIndex(({ name }) => name === 'contribution')]),
  ).toFixed();
  expect([measure, contributions, listed]).toEqual([measure, caused, caused]);
}

function addUp(values: readonly unknown[]): string {
  return values.reduce((sum: InstanceType<typeof Exact>, value) => sum.plus(String(value)), new Exact(0)).toFixed();
}

/** Compares a column of a comparison with the pivot of the state. */
async function expectPivot(
  state: BuiltState | undefined,
  rows: readonly Row[],
  sent: Record<string, string>,
  column: string,
): Promise<void> {
  if (!state || sent['group_by'] === undefined) return;
  const pivot = await companyOf(state.database).report('pivot', { ...sent, cutoff_date: DAYS.cutoffDate });
  const keys = sent['group_by'].split(',').map((name) => catalogue.dimensions.get(name)?.key ?? '');
  const keyOf = (row: Row) =>
    JSON.stringify(keys.map((key) => row[key === 'billable' && 'is_billable' in row ? 'is_billable' : key]));
  const values = new Map(rows.map((row) => [`${keyOf(row)} ${row['measure']}`, row[column]]));
  for (const row of pivot.rows)
    for (const measure of NAMES)
      expect([measure, keyOf(row), values.get(`${keyOf(row)} ${measure}`)]).toEqual([
        measure,
        keyOf(row),
        row[measure],
      ]);
}
