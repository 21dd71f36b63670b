import { FIRST_DATE } from '../../resource/field.ts';
import { describeValue, type Node, type Row } from '../node.ts';
import { type Contract, findContract, firstDayOf, readContracts, startOf } from './contracts.ts';
import type { Present, Reader } from './rules.ts';

interface Role {
  readonly name: string | null;
  /** Cost rates, earliest first, one per date. */
  readonly rates: readonly { readonly from: string; readonly rate: string | null }[];
}

/** A person's role and cost rate from a day on. */
interface State {
  readonly from: string;
  readonly role_id: number | null;
  readonly cost_rate: string | null;
  readonly cost_rate_from: string | null;
  /** True if the same applies without any contract. */
  readonly isImplied: boolean;
}

/**
 * Presents the contracts of `expand`: one at each change of role, own rate or inherited role rate.
 * Without the scope `rates`: one at each change of role, without rates.
 */
export const presentContracts: Present = async (reader, people, seesRates) => {
  const roles = await readRoles(reader, people);
  return people.map((person) => ({ contracts: describeContracts(person, roles, seesRates) }));
};

async function readRoles(reader: Reader, people: readonly Row[]): Promise<ReadonlyMap<number, Role>> {
  const named = people.flatMap((person) => [
    person['role_id'],
    ...readContracts(person).map(({ role_id }) => role_id),
  ]) as number[];
  const ids = [...new Set(named)].filter((id) => typeof id === 'number');
  if (ids.length === 0) return new Map();
  const found = await reader.rows<{ role_id: number; name: string | null; from: string | null; rate: string | null }>(`
    SELECT role_id, name, COALESCE(effective_date, DATE '${FIRST_DATE}') AS "from", rate
    FROM source.roles LEFT JOIN source.cost_rate_history AS history USING (role_id)
    WHERE role_id IN (${ids.join(', ')}) ORDER BY role_id, "from", history.position`);
  return new Map(
    ids.map((id) => {
      const entries = found.filter(({ role_id }) => role_id === id);
      const byDate = new Map(entries.map(({ from, rate }) => [from ?? FIRST_DATE, rate]));
      const rates = [...byDate].map(([from, rate]) => ({ from, rate }));
      return [id, { name: entries[0]?.name ?? null, rates }];
    }),
  );
}

function describeContracts(person: Row, roles: ReadonlyMap<number, Role>, seesRates: boolean): Node[] {
  const states = listStates(person, roles, seesRates);
  const start = firstDayOf(person);
  // Values before the first day that apply without a contract need none.
  while (states[0]?.isImplied && (states[1]?.from ?? '~') <= start) states.shift();
  const [first, second] = states;
  // A contract without a start is shown from the first day, unless another one starts earlier.
  const isFromStart = first?.from === FIRST_DATE && (second?.from ?? '~') > start;
  return states.map((state) => ({
    effective_date: state === first && isFromStart ? ((person['start_date'] ?? null) as string | null) : state.from,
    role_id: state.role_id,
    role_name: roles.get(state.role_id ?? 0)?.name ?? null,
    ...(seesRates
      ? { cost_rate: describeValue({ type: 'rate' }, state.cost_rate), cost_rate_from: state.cost_rate_from }
      : {}),
  }));
}

/** Returns the states in order; the first one applies from FIRST_DATE. */
function listStates(person: Row, roles: ReadonlyMap<number, Role>, seesRates: boolean): State[] {
  const contracts = readContracts(person);
  const roleIds = [person['role_id'] as number, ...contracts.map(({ role_id }) => role_id ?? 0)];
  const changes = roleIds.flatMap((id) => roles.get(id)?.rates.map(({ from }) => from) ?? []);
  const days = [FIRST_DATE, ...contracts.map((contract) => startOf(contract, person)), ...changes];
  const states: State[] = [];
  for (const day of [...new Set(days)].sort()) {
    const state = findState(person, contracts, roles, day, seesRates);
    const last = states.at(-1);
    if (!last || !isSame(last, state)) states.push(state);
  }
  return states;
}

function findState(
  person: Row,
  contracts: readonly Contract[],
  roles: ReadonlyMap<number, Role>,
  day: string,
  seesRates: boolean,
): State {
  const ownRole = (person['role_id'] ?? null) as number | null;
  const contract = findContract(contracts, person, day);
  const role_id = contract ? contract.role_id : ownRole;
  const own = contract?.cost_rate ?? null;
  const rate = own ?? roles.get(role_id ?? 0)?.rates.findLast(({ from }) => from <= day)?.rate ?? null;
  const source = own === null ? 'role' : (contract?.cost_rate_from ?? 'person');
  return {
    from: day,
    role_id,
    cost_rate: seesRates ? rate : null,
    cost_rate_from: seesRates && rate !== null ? source : null,
    isImplied: role_id === ownRole && (own === null || !seesRates),
  };
}

function isSame(one: State, other: State): boolean {
  return (
    one.role_id === other.role_id && one.cost_rate === other.cost_rate && one.cost_rate_from === other.cost_rate_from
  );
}
