import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadModels } from '../../src/numbers/model/models.ts';
import type { LiveSource } from '../../src/store/live/live-source.ts';
import { expectRebuilt, sqlFolder } from '../refresh/working.ts';
import { SEED } from '../seed.ts';
import { type FuzzRequest, fuzzRequest, MAX_ID } from './fuzz-requests.ts';
import { fetchReply, serve } from './served.ts';

/** Longest time for an answer, on a busy machine. Unit: ms. */
const ANSWER_MS = 20_000;

const REPORT = '/v3/reports/people?start_date=2026-01-01&end_date=2026-12-31';

const IDS = Array.from({ length: MAX_ID }, (_, index) => index + 1);
const DAYS = { start_date: '2026-01-01', end_date: '2026-06-30' };

const COMPANY = {
  departments: IDS.map((department_id) => ({ department_id, name: `Department ${department_id}` })),
  clients: IDS.map((client_id) => ({ client_id, name: `Client ${client_id}` })),
  accounts: IDS.map((account_id) => ({ account_id, name: `Account ${account_id}` })),
  roles: IDS.map((role_id) => ({ role_id, name: `Role ${role_id}` })),
  people: IDS.map((people_id) => ({ people_id, name: `Person ${people_id}`, cost_rate: 40 })),
  project_stages: IDS.map((stage_id) => ({ stage_id, name: `Stage ${stage_id}`, status: stage_id })),
  projects: IDS.map((project_id) => ({ project_id, name: `Project ${project_id}` })),
  phases: IDS.map((id) => ({ phase_id: id, project_id: id, name: `Phase ${id}`, ...DAYS })),
  milestones: IDS.map((id) => ({ milestone_id: id, project_id: id, name: `Milestone ${id}`, date: '2026-03-02' })),
  project_tasks: IDS.map((id) => ({ task_meta_id: id, project_id: id, task_name: `Work ${id}` })),
  tasks: IDS.map((id) => ({ task_id: id, project_id: id, people_id: id, ...DAYS, hours: 2 })),
  timeoffs: IDS.map((id) => ({ timeoff_id: id, people_id: id, start_date: '2026-02-02', end_date: '2026-02-03' })),
  logged_time: IDS.map((id) => ({
    logged_time_id: `${id}`,
    people_id: id,
    project_id: id,
    date: '2026-01-05',
    hours: 2,
  })),
  project_expenses: IDS.map((id) => ({ project_expense_id: id, project_id: id, date: '2026-01-06', cost: 10 })),
};

/**
 * Sends random requests for records to a server with --write: none may be answered 5xx or late,
 * reports must succeed, and the models must equal those of a build.
 * @param histories Number of histories; PLUMBLINE_FUZZES overrides it.
 */
export function testFuzz(histories: number, requests: number): void {
  const count = Number(process.env['PLUMBLINE_FUZZES'] ?? histories);
  const seeds = Array.from({ length: count }, (_, index) => SEED + index);
  const timeout = 60_000 + requests * 2_000;
  it.each(seeds)(
    `${requests} random requests are answered in time and never 5xx, PLUMBLINE_SEED=%i`,
    { timeout },
    (seed) => runHistory(fc.sample(fuzzRequest, { numRuns: requests, seed })),
  );
}

async function runHistory(requests: readonly FuzzRequest[]): Promise<void> {
  let source: LiveSource | undefined;
  const prepareSource = async (opened: LiveSource) => {
    source = opened;
    return opened;
  };
  const served = await serve({ data: COMPANY, write: true, prepareSource });
  const statuses = new Map<number, number>();
  const send = async ({ method, path, body }: FuzzRequest) => {
    const startedAt = performance.now();
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const {
      status,
      text,
      headers: answered,
    } = await fetchReply(new URL(path, served.url), headers, method, body ?? null);
    const what = `${method} ${path} ${body?.slice(0, 2_000)}: ${status} ${text.slice(0, 2_000)}`;
    expect(status, `${what}\n${served.log().slice(-2_000)}`).toBeLessThan(500);
    expect(performance.now() - startedAt, what).toBeLessThan(ANSWER_MS);
    if (answered.get('content-type')?.includes('json') && text !== '')
      expect(() => JSON.parse(text), what).not.toThrow();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  try {
    for (const request of requests) await send(request);
    await send({ method: 'GET', path: REPORT });
    if (!source) throw new Error('the server opened no live data');
    const { database } = source;
    const stored = (await loadModels(database, sqlFolder)).filter(({ storage }) => storage === 'table');
    await expectRebuilt(database, stored, 'after the history');
  } finally {
    await served.close();
  }
  // Refusals alone would prove nothing.
  expect(statuses.get(201), JSON.stringify([...statuses])).toBeGreaterThan(requests.length / 40);
}
