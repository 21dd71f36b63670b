import { isObject } from '../../../base/index.ts';
import { findResource } from '../../../records/resource/index.ts';
import { fieldFault, type Sent } from '../body.ts';
import type { Node, Row } from '../node.ts';
import { ratesError } from '../secrecy.ts';
import type { Transaction } from '../storage/transaction.ts';
import { parseValue } from '../value.ts';
import { BILL_RATES, completeRates, presentAll, presentCurrentRate } from './bill-rates.ts';
import { dayOfWrite } from './company-day.ts';
import { presentContracts } from './contract-list.ts';
import { deleteContracts, readContracts, settleContracts, writeContract } from './contracts.ts';
import { parseDates } from './dates.ts';
import { presentAccounts, presentManager, presentManagers } from './managers.ts';
import { ROLE_PLACEHOLDER } from './placeholders.ts';
import { removePersonWork } from './removal.ts';
import type { Reader, Rules } from './rules.ts';
import { leaveTeam } from './team.ts';

const CONTRACTOR = 2;

const EMPLOYEE = 1;

const resource = findResource('people');

const TEAMS = ['project_team', 'phase_team'] as const;

export const peopleRules: Rules = {
  own: ['contracts', BILL_RATES],
  async complete(transaction, sent, before) {
    await validateRole(transaction, sent.values, before);
    const values = { ...sent.values, ...completeDepartment(sent, before), ...completeType(sent, before) };
    const settled = before
      ? await completeContracts(transaction, { ...sent, values }, before)
      : await startContract(transaction, values);
    return {
      ...settled,
      ...(await completeTitle(transaction, settled, before)),
      ...completeRates(resource, sent, before),
    };
  },
  async release(transaction, before) {
    await removePersonWork(transaction, before);
    for (const field of TEAMS) await leaveTeam(transaction, field, [Number(before[resource.id])]);
  },
  present: { names: ['department', 'current_hourly_rate'], read: presentAll(presentDepartments, presentCurrentRate) },
  expands: {
    contracts: presentContracts,
    account: presentAccounts,
    manager: presentManager,
    managers: presentManagers,
  },
  hides: { unless: ['people_type_id'], where: `people_type_id <> ${ROLE_PLACEHOLDER}` },
};

/** Reads a department sent as an id, as {department_id}, or as an id in the field department. */
function completeDepartment({ values, body }: Sent, before: Row | undefined): Row {
  const sent = body['department'];
  const isBare = values['department_id'] === undefined && sent !== undefined;
  if (isBare && isObject(sent)) throw fieldFault('department', 'department_id: missing');
  const parsed = isBare ? parseValue({ type: 'id' }, sent) : { value: values['department_id'] ?? null };
  if (!('value' in parsed)) throw fieldFault('department', parsed.fault);
  if (!isBare && values['department_id'] === undefined) return {};
  // A dataset's own department name doesn't apply to another department.
  const isMoved = parsed.value !== (before?.['department_id'] ?? null);
  return { department_id: parsed.value, ...(isMoved ? { department_name: null } : {}) };
}

/** Keeps people_type_id and contractor consistent; people_type_id takes precedence. */
function completeType({ values }: Sent, before: Row | undefined): Row {
  const { people_type_id: type = null, contractor = null } = values;
  if (type !== null && type !== before?.['people_type_id']) return { contractor: type === CONTRACTOR };
  if (contractor === null || contractor === (before?.['contractor'] ?? false)) return {};
  return { people_type_id: contractor ? CONTRACTOR : EMPLOYEE };
}

/** A new person's cost rate without a date is a contract from the start (R1); a lone cost rate would also cover the days before it. */
async function startContract(transaction: Transaction, values: Row): Promise<Row> {
  const { cost_rate = null, ...person } = values;
  if (cost_rate === null || (person['effective_date'] ?? null) !== null) return values;
  const change = { from: null, role_id: undefined, cost_rate: cost_rate as string };
  return { ...person, ...writeContract(person, change, await dayOfWrite(transaction)) };
}

async function completeContracts(transaction: Transaction, { values, body }: Sent, before: Row): Promise<Row> {
  const today = await dayOfWrite(transaction);
  const { cost_rate, effective_date, role_id, ...others } = values;
  const sent = body['contracts'];
  if (isObject(sent) && !transaction.writer.seesRates) throw ratesError('contracts', 'a contract has a cost rate');
  const changes = isObject(sent)
    ? deleteContracts({ ...before, ...others }, parseDates('contracts', sent['del']), today)
    : {};
  const person = { ...before, ...others, ...changes };
  // A client may send back the role unchanged: without a date it has no effect.
  const isRoleSaid = role_id !== undefined && (effective_date != null || role_id !== person['role_id']);
  if (cost_rate === undefined && !isRoleSaid) {
    if (effective_date != null)
      throw fieldFault(
        'effective_date',
        'it is the first day of cost_rate or role_id; send one of them too. A bill rate from a day on is bill_rate_history: {"add": [{"rate": 120, "effective_date": "2026-07-01"}]}',
      );
    return { ...others, ...changes };
  }
  const change = {
    from: (effective_date ?? null) as string | null,
    role_id: (isRoleSaid ? role_id : undefined) as number | null | undefined,
    cost_rate: cost_rate as string | null | undefined,
  };
  return { ...others, ...writeContract(person, change, today) };
}

/**
 * Checks the sent role here, since the contract with it may start later.
 * @throws AppError input when the role doesn't exist.
 */
async function validateRole(
  transaction: Transaction,
  { role_id: role = null }: Row,
  before: Row | undefined,
): Promise<void> {
  if (role === null || role === before?.['role_id']) return;
  const found = await transaction.rows(`SELECT role_id FROM source.roles WHERE role_id = ${role}`);
  if (found.length === 0) throw fieldFault('role_id', `there is no record ${role} in roles`);
}

async function completeTitle(transaction: Transaction, values: Row, before: Row | undefined): Promise<Row> {
  const were = before?.['role_id'] ?? null;
  const role = values['role_id'] === undefined ? were : values['role_id'];
  if (role === null) return were === null || values['job_title'] !== undefined ? {} : { job_title: null };
  if (role === were && values['job_title'] === undefined) return {};
  const [found] = await transaction.rows<{ name: string | null }>(
    `SELECT name FROM source.roles WHERE role_id = ${role}`,
  );
  return found ? { job_title: found.name } : {};
}

/** Updates the role of people whose next contract has come into force since the last write. */
export async function turnDay(transaction: Transaction): Promise<void> {
  const today = await dayOfWrite(transaction);
  const late = await transaction.records(resource, {
    where: `people_id IN (
      SELECT contracts.people_id
      FROM core.contracts
      JOIN staging.people ON people.people_id = contracts.people_id
      WHERE contracts.valid_from <= DATE '${today}' AND contracts.valid_to > DATE '${today}'
        AND contracts.role_id <> COALESCE(people.role_id, 0))`,
  });
  for (const person of late) {
    const role = (person['role_id'] ?? null) as number | null;
    const settled = settleContracts(person, readContracts(person), role, today);
    await transaction.update(resource, person, { ...settled, ...(await completeTitle(transaction, settled, person)) });
  }
}

async function presentDepartments(reader: Reader, people: readonly Row[]): Promise<Record<string, Node>[]> {
  const ids = [...new Set(people.map((person) => person['department_id'] ?? null))].filter((id) => id !== null);
  const found =
    ids.length === 0
      ? []
      : await reader.rows<{ department_id: number; name: string | null }>(
          `SELECT department_id, name FROM source.departments WHERE department_id IN (${ids.join(', ')})`,
        );
  const names = new Map(found.map(({ department_id, name }) => [department_id, name]));
  return people.map((person) => {
    const department_id = (person['department_id'] ?? null) as number | null;
    const name = names.get(department_id ?? 0) ?? ((person['department_name'] ?? null) as string | null);
    return { department: department_id === null ? null : { department_id, name } };
  });
}
