import { expect } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { AppError } from '../../src/base/error.ts';
import type { Live } from '../../src/store/live/live.ts';
import { createRecords, deleteRecord, updateRecord } from '../../src/store/record/records.ts';
import { servedResources } from '../../src/store/record/served-resources.ts';
import { Prng } from '../oracle/prng.ts';
import { NEVER, WRITER } from './data.ts';

/** The results of random requests, by how they were answered. */
export interface Answers {
  taken: number;
  /** Refused because lines of closed days would change. */
  closed: number;
  /** Refused by another rule. */
  refused: number;
}

const LINES = `SELECT kind, date, people_id, role_id, project_id, phase_id, task_meta_id, logged_time_id, project_expense_id,
    billable, hours, cost, fee
  FROM core.ledger WHERE kind <> 'scheduled' AND date BETWEEN DATE '2026-02-01' AND DATE '2026-02-28' ORDER BY ALL`;

/** The resources that requests write, the ones that lines depend on most often. */
const WRITTEN = ['people', 'roles', 'projects', 'phases', 'project_tasks', 'tasks', 'logged_time', 'project_expenses'];

const OTHERS = ['clients', 'departments', 'timeoffs', 'status', 'milestones'];

/** The most requests for each wanted one, until each kind of answer has come. */
const MAX_TIMES = 10;

/**
 * Sends random requests to live data that keeps February, and compares its actual and expense lines with those before.
 * @param count Number of requests; more are sent until each kind of answer has come.
 */
export async function sendRandomRequests(live: Live, count: number, seed: number): Promise<Answers> {
  const prng = new Prng(seed);
  const before = await read(live, LINES);
  expect(before.length).toBeGreaterThan(10);
  const answers: Answers = { taken: 0, closed: 0, refused: 0 };
  const isEnough = (sent: number) => sent >= count && !Object.values(answers).includes(0);
  for (let sent = 0; !isEnough(sent) && sent < count * MAX_TIMES; sent += 1) {
    const request = await makeRequest(live.store.reader, prng);
    const outcome = await send(live, request);
    answers[outcome] += 1;
    if (outcome === 'taken') expect(await read(live, LINES), JSON.stringify(request)).toEqual(before);
  }
  return answers;
}

export interface RandomRequest {
  readonly resource: string;
  /** Absent to create a record. */
  readonly id: string | undefined;
  /** Absent to delete a record. */
  readonly body: object | undefined;
}

async function send(live: Live, { resource: name, id, body }: RandomRequest): Promise<keyof Answers> {
  const resource = servedResources.get(name);
  if (!resource) throw new Error(`no resource ${name}`);
  try {
    await live.store.write(WRITER, async (transaction) => {
      if (id === undefined) await createRecords(transaction, resource, body);
      else if (body === undefined) await deleteRecord(transaction, resource, id);
      else await updateRecord(transaction, resource, id, body);
    });
    return 'taken';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (!['input', 'unknown', 'usage'].includes(error.code)) throw error;
    return error.message.includes('closed hard') ? 'closed' : 'refused';
  }
}

async function read(live: Live, sql: string): Promise<unknown[]> {
  const lease = live.generations.lease(live.generations.current());
  try {
    return await (await lease.open(NEVER)).database(true).rows(sql);
  } finally {
    lease.release();
  }
}

export async function makeRequest(reader: Pick<Database, 'rows'>, prng: Prng): Promise<RandomRequest> {
  const resource = prng.chance(0.85) ? prng.pick(WRITTEN) : prng.pick(OTHERS);
  const idOf = async (name: string) => {
    const found = servedResources.get(name);
    const rows = await reader.rows<{ id: string }>(
      `SELECT CAST(${found?.id} AS VARCHAR) AS id FROM ${found?.table} ORDER BY id`,
    );
    return rows.length === 0 ? '1' : prng.pick(rows).id;
  };
  const isNew = prng.chance(0.2);
  const id = isNew ? undefined : await idOf(resource);
  if (!isNew && prng.chance(0.2)) return { resource, id, body: undefined };
  const values: Record<string, unknown> = {};
  for (const [field, make] of Object.entries(FIELDS[resource] ?? {})) {
    if (isNew || prng.chance(0.25)) values[field] = await make(prng, idOf);
  }
  return { resource, id, body: values };
}

type MakeValue = (prng: Prng, idOf: (resource: string) => Promise<string>) => unknown;

const rate: MakeValue = (prng) => prng.pick([null, 0, 40, 99.995]);
const flag: MakeValue = (prng) => prng.int(0, 1);
const name: MakeValue = (prng) => `Name ${prng.int(1, 1_000_000)}`;
const hours: MakeValue = (prng) => prng.pick([0, 1, 7.5, 8]);
const date: MakeValue = (prng) => `2026-0${prng.int(1, 4)}-${String(prng.int(1, 28)).padStart(2, '0')}`;
const id =
  (resource: string): MakeValue =>
  async (_prng, idOf) =>
    Number(await idOf(resource));
const maybeId =
  (resource: string): MakeValue =>
  async (prng, idOf) =>
    prng.chance(0.3) ? null : Number(await idOf(resource));
const team: MakeValue = async (prng, idOf) => ({
  add: [{ people_id: Number(await idOf('people')), hourly_rate: prng.pick([null, 10, 77.7]) }],
});
const span = { start_date: date, end_date: (() => '2026-04-30') as MakeValue };

/** The fields of requests, by resource. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, MakeValue>>>> = {
  people: { name, cost_rate: rate, effective_date: date, default_hourly_rate: rate, role_id: maybeId('roles') },
  roles: {
    name,
    default_hourly_rate: rate,
    cost_rate_history: async (prng) => ({ add: [{ effective_date: await date(prng, async () => ''), rate: 44 }] }),
  },
  projects: {
    name,
    non_billable: flag,
    default_hourly_rate: rate,
    status: (prng) => prng.int(0, 4),
    client_id: maybeId('clients'),
    project_team: team,
  },
  phases: {
    name,
    project_id: id('projects'),
    non_billable: flag,
    default_hourly_rate: rate,
    phase_team: team,
    ...span,
  },
  project_tasks: { task_name: name, project_id: id('projects'), phase_id: maybeId('phases'), billable: flag },
  tasks: {
    people_id: id('people'),
    project_id: id('projects'),
    phase_id: maybeId('phases'),
    hours: () => 4,
    billable: flag,
    ...span,
  },
  logged_time: {
    people_id: id('people'),
    date,
    hours,
    billable: flag,
    project_id: maybeId('projects'),
    task_id: maybeId('tasks'),
    task_meta_id: maybeId('project_tasks'),
    notes: name,
  },
  project_expenses: { project_id: id('projects'), name, date, cost: (prng) => prng.int(-30, 90), billable: flag },
  clients: { name },
  departments: { name },
  timeoffs: {
    people_ids: async (_prng, idOf) => [Number(await idOf('people'))],
    timeoff_type_id: id('timeoff_types'),
    ...span,
  },
  status: { people_id: id('people'), status_type_id: (prng) => prng.int(1, 3), ...span },
  milestones: { name, project_id: id('projects'), date },
};
