import { setTimeout as sleep } from 'node:timers/promises';
import { type Served, type ServeOptions, serve } from './served.ts';

/** A month of one person: 8 h at 60.00 on 5 March, billed at 100.00, and an expense. */
const COMPANY = {
  people: [{ people_id: 1, name: 'Ada', cost_rate: 60 }],
  roles: [{ role_id: 1, name: 'Builder', default_hourly_rate: 90 }],
  projects: [
    { project_id: 1, name: 'Bridge', default_hourly_rate: 100, start_date: '2026-01-01' },
    { project_id: 2, name: 'Tower', default_hourly_rate: 100 },
  ],
  tasks: [{ task_id: 1, project_id: 1, people_id: 1, start_date: '2026-03-02', end_date: '2026-03-06', hours: 6 }],
  logged_time: [
    { logged_time_id: 'a', project_id: 1, people_id: 1, date: '2026-03-05', hours: 8 },
    { logged_time_id: 'b', task_id: 1, people_id: 1, date: '2026-03-06', hours: 4 },
    { logged_time_id: 'c', project_id: 1, people_id: 1, date: '2026-04-01', hours: 2 },
  ],
  timeoff_types: [{ timeoff_type_id: 1, timeoff_type_name: 'Leave' }],
  project_expenses: [{ project_expense_id: 1, project_id: 1, name: 'Steel', date: '2026-03-10', cost: 50 }],
};

/** A server with a month to close. */
export interface ClosableServer {
  readonly served: Served;
  /** Sends a request with every scope. @returns its status and body. */
  send(method: string, path: string, body?: object): Promise<{ status: number; body: string }>;
}

/** Starts a server that takes changes of a month, with a token of every scope. */
export async function serveClosable(options: ServeOptions = {}): Promise<ClosableServer> {
  const served = await serve({
    write: true,
    data: COMPANY,
    scopes: ['reports', 'rates', 'write', 'close'],
    ...options,
  });
  const { header } = await served.token(['reports', 'rates', 'write', 'close']);
  // The server follows its file of tokens.
  while ((await served.get('/v3/closings', { authorization: header })).status !== 200) await sleep(50);
  return {
    served,
    async send(method, path, body) {
      const answer = await fetch(`${served.url}${path}`, {
        method,
        headers: { authorization: header, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.text() };
    },
  };
}
