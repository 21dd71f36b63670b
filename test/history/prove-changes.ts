import { expect } from 'vitest';
import { Exact } from '../../src/base/exact-decimal.ts';
import { listCauses } from '../../src/numbers/report/catalogue/change-causes.ts';
import { isOfAgreedFees } from '../../src/numbers/report/compare/fee-points.ts';
import { catalogue, companyOf, type Row } from '../sql/company.ts';
import { CHANGE_KINDS, changeAnything } from './change-kinds.ts';
import { makeCompany, makeRandom, type Random, recordsOf, WINDOW } from './changed-records.ts';
import { type BuiltState, buildState, type Compared, compareDays, compareStates } from './compared-company.ts';

/** The groups of sums that no report of changes has. */
const WITHOUT_CAUSES = ['future', 'baseline'];

/** The measures that have causes: sums of lines, and budgets. */
const MEASURES = [...catalogue.measures.values()].filter(
  ({ kind, group }) => (kind === 'sum' && !WITHOUT_CAUSES.includes(group)) || kind === 'budget',
);

const NAMES = MEASURES.map(({ name }) => name);

const SUMS = MEASURES.filter(({ kind }) => kind === 'sum').map(({ name }) => name);

const USES = MEASURES.filter(({ kind, of }) => kind === 'budget' && of !== 'total').map(({ name }) => name);

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
    const sent = { ...WINDOW, measures: NAMES.join(','), group_by: 'project,client,tag,people_tag' };
    const { rows } = await compareStates(then, now, 'changes', sent, DAYS);
    for (const row of rows) {
      const [name, kind] = kinds[Number(row['project_id']) - 1] ?? [];
      // A row gets or loses a budget with its first or last line, whatever brings that about.
      const isInBoth =
        SUMS.includes(String(row['measure'])) || (row['value_then'] !== null && row['value_now'] !== null);
      // Lines of agreed fees have causes of their own (X10).
      const measure = catalogue.measures.get(String(row['measure']));
      const isOfFees = measure !== undefined && isOfAgreedFees(measure);
      const ofFees = isOfFees ? ['budget', 'estimate'] : [];
      const allowed = ['cutoff', ...(kind?.causes ?? []), ...(isInBoth ? [] : ['moved']), ...ofFees];
      const causes = listCauses().filter(
        (cause) => row[cause] !== '0' && row[cause] !== null && !allowed.includes(cause),
      );
      expect({ name, measure: row['measure'], causes }).toEqual({ name, measure: row['measure'], causes: [] });
    }
  } finally {
    await then.close();
    await now.close();
  }
}

/** The number of groupings that one history tries, drawn from all. */
const GROUPINGS = 2;

const GROUPS = [
  '',
  'project',
  'person,month',
  'client,billable',
  'tag',
  'people_tag',
  'role,week',
  'department,project_status',
];

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
    for (let count = 0; count < GROUPINGS; count += 1) {
      const group_by = GROUPS[random(GROUPS.length)];
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
      const own = random(2) === 0 ? DAYS : { ...DAYS, cutoffNow: DAYS.cutoffDate };
      const asked = { ...WINDOW, ...filter, ...(group_by && { group_by }) };
      const ofState: Compare = (name, parameters, seesRates) => compareStates(a, c, name, parameters, own, seesRates);
      const ofClosings: Compare = (name, parameters, seesRates) =>
        compareDays(closingsOf(a, b), c, name, parameters, own, seesRates);
      // Budgets of all projects have hardly ever one unit.
      const ofOne = random(3) === 0 ? {} : { project_id: String(1 + random(6)) };
      const proofs = [
        () => expectLines(ofState, random, SUMS, asked),
        () => expectLines(ofClosings, random, SUMS, asked),
        () => expectLines(ofState, random, USES, { ...asked, ...ofOne }),
      ];
      await proofs[random(proofs.length)]?.();
      await expectPivot(a, ac.rows, sent, 'value_then');
      await expectPivot(c, ac.rows, sent, 'value_now');
    }
  } finally {
    for (const state of states) await state.close();
  }
}

type Compare = (name: string, sent: Record<string, string>, seesRates?: boolean) => Promise<Compared>;

/** Returns two states as the closings of some days of the window each, the first of some before and after the second's. */
function closingsOf(first: BuiltState | undefined, second: BuiltState | undefined) {
  const { day, cutoffDate } = DAYS;
  const spans = [
    { kept: first, days: { startDate: '2026-03-01', endDate: '2026-03-20' } },
    { kept: second, days: { startDate: '2026-03-21', endDate: '2026-04-10' } },
    { kept: first, days: { startDate: '2026-04-11', endDate: '2026-04-30' } },
  ];
  return spans.map((span) => ({ ...span, day, cutoffDate }));
}

/** Compares the lines behind the difference of one of some measures with its causes, whether costs are seen or not. */
async function expectLines(
  compare: Compare,
  random: Random,
  measures: readonly string[],
  { group_by, ...sent }: Record<string, string>,
): Promise<void> {
  const measure = measures[random(measures.length)] ?? '';
  const { needs_rates, kind } = catalogue.measures.get(measure) ?? {};
  const rows = group_by === undefined ? {} : { group_by };
  const [total] = (await compare('changes', { ...sent, ...rows, measures: measure })).totals;
  // The dimensions of the rows decide whose budgets they are.
  const asked = { ...sent, ...(kind === 'budget' && rows), measure };
  const read = (own = {}) => compare('changed-lines', { ...asked, ...own }, needs_rates ?? random(2) === 0);
  if (total?.['late'] === null) {
    await expect(read()).rejects.toThrow("which don't add up");
    return;
  }
  const told = listCauses().filter((each) => total?.[each] !== '0');
  const cause = told[random(told.length)] ?? listCauses()[random(listCauses().length)] ?? '';
  for (const causes of [listCauses(), [cause]]) {
    const { rows: lines, table } = await read(causes === listCauses() ? {} : { cause });
    const contributions = addUp(lines.map(({ contribution }) => contribution));
    const listed = table.totals?.[table.columns.findIndex(({ name }) => name === 'contribution')];
    const rest = table.meta.notes.flatMap(
      (note) => /^Budgets .* are (\S+) \S+ of the difference/.exec(note)?.[1] ?? [],
    );
    const caused = addUp(causes.map((each) => total?.[each] ?? null));
    expect([measure, causes, addUp([listed]), addUp([contributions, ...rest])]).toEqual([
      measure,
      causes,
      contributions,
      caused,
    ]);
  }
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
