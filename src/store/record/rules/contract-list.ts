import { FIRST_DATE } from '../../../base/calendar/index.ts';
import { describeValue, type Node, type Row } from '../node.ts';
import { firstDayOf } from './contracts.ts';
import type { Present, Reader } from './rules.ts';

/** A person's role and cost rate from a day on (R1, R3). */
interface State {
  readonly from: string;
  readonly role_id: number | null;
  readonly role_name: string | null;
  readonly cost_rate: string | null;
  readonly cost_rate_from: string | null;
  /** True if the same applies on these days without any contract. */
  readonly isImplied: boolean;
}

/**
 * Presents the contracts of `expand`: one at each change of role, own rate or inherited role rate.
 * Without the scope `rates`: one at each change of role, without rates.
 */
export const presentContracts: Present = async (reader, people, seesRates) => {
  const states = await readStates(reader, people, seesRates);
  return people.map((person) => ({
    contracts: describeContracts(person, states.get(Number(person['people_id'])) ?? [], seesRates),
  }));
};

/** Reads the states of people in order; the first one applies from FIRST_DATE. */
async function readStates(
  reader: Reader,
  people: readonly Row[],
  seesRates: boolean,
): Promise<ReadonlyMap<number, State[]>> {
  const found = await reader.rows<State & { people_id: number }>(`
    SELECT
      cost_rates.people_id,
      cost_rates.valid_from AS "from",
      cost_rates.role_id,
      roles.name AS role_name,
      ${seesRates ? 'cost_rates.cost_rate' : 'NULL'} AS cost_rate,
      ${seesRates ? "NULLIF(cost_rates.cost_rate_source, 'none')" : 'NULL'} AS cost_rate_from,
      cost_rates.role_id IS NOT DISTINCT FROM people.role_id AND ${seesRates ? 'NOT cost_rates.is_own_rate' : 'TRUE'} AS "isImplied"
    FROM core.cost_rates
    JOIN staging.people ON people.people_id = cost_rates.people_id
    LEFT JOIN staging.roles ON roles.role_id = cost_rates.role_id
    WHERE cost_rates.people_id IN (${people.map(({ people_id }) => people_id).join(', ') || 'NULL'})
    ORDER BY cost_rates.people_id, cost_rates.valid_from`);
  const states = new Map<number, State[]>();
  for (const { people_id, ...state } of found) {
    const earlier = states.get(people_id) ?? [];
    const last = earlier.at(-1);
    if (!last || !isSame(last, state)) states.set(people_id, [...earlier, state]);
    else earlier[earlier.length - 1] = { ...last, isImplied: last.isImplied && state.isImplied };
  }
  return states;
}

function describeContracts(person: Row, states: readonly State[], seesRates: boolean): Node[] {
  const start = firstDayOf(person);
  // Values before the first day that apply without a contract need none.
  const left = [...states];
  while (left[0]?.isImplied && (left[1]?.from ?? '~') <= start) left.shift();
  // The same holds for the part before the first day of the first contract; all others keep their dates.
  const isFromStart = ({ from, isImplied }: State, index: number) =>
    index === 0 && from <= start && (isImplied || start === FIRST_DATE);
  return left.map((state, index) => ({
    effective_date: isFromStart(state, index) ? ((person['start_date'] ?? null) as string | null) : state.from,
    role_id: state.role_id,
    role_name: state.role_name,
    ...(seesRates
      ? { cost_rate: describeValue({ type: 'rate' }, state.cost_rate), cost_rate_from: state.cost_rate_from }
      : {}),
  }));
}

function isSame(one: State, other: State): boolean {
  return (
    one.role_id === other.role_id && one.cost_rate === other.cost_rate && one.cost_rate_from === other.cost_rate_from
  );
}
