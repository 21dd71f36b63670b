import { expect } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { fetchReply, type Reply, type Served } from '../http/served.ts';
import { makeRequest } from '../live/random-requests.ts';
import { Prng } from '../oracle/prng.ts';

interface SentChange {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const WINDOWS = [
  { start_date: '2026-01-01', end_date: '2026-03-31' },
  { start_date: '2026-02-10', end_date: '2026-05-31', cutoff_date: '2026-03-31' },
];

const REPORTS = [
  { report: 'projects', parameters: {}, measures: ['forecast_hours', 'forecast_cost', 'actual_fees', 'budget_used'] },
  { report: 'people', parameters: { interval: 'month' }, measures: ['actual_hours', 'scheduled_cost'] },
  { report: 'pivot', parameters: { group_by: 'client,billable', measures: 'actual_revenue,forecast_profit' } },
  { report: 'phases', parameters: { people_id: [101, 102] }, measures: ['scheduled_hours', 'capacity_hours'] },
];

/**
 * Proves that previews of random changes answer what the report does once they are written, and refuse the change that
 * is refused then, with its status.
 * @param reader Reads the records of the server.
 * @returns the number of changes that were written.
 */
export async function provePreviews(
  served: Served,
  reader: Pick<Database, 'rows'>,
  count: number,
  seed: number,
): Promise<number> {
  const prng = new Prng(seed);
  let written = 0;
  for (let index = 0; index < count; index += 1) {
    const wanted: SentChange[] = [];
    for (let left = prng.int(1, 6); left > 0; left -= 1) wanted.push(await makeChange(reader, prng));
    const { parameters, ...asked } = prng.pick(REPORTS);
    const request = { ...asked, parameters: { ...parameters, ...prng.pick(WINDOWS) } };
    const { changes, answer, refusals } = await previewTaken(served, request, wanted);
    const before = await readReport(served, request);
    for (const change of changes) {
      const { status, text } = await send(served, change);
      expect(status, `${JSON.stringify(change)}: ${text}`).toBeLessThan(300);
      written += 1;
    }
    const context = JSON.stringify({ seed, index, request, changes });
    const { preview } = answer;
    expect(preview.before, context).toEqual(before);
    expect(preview.after, context).toEqual(await readReport(served, request));
    for (const { change, status } of refusals) expect((await send(served, change)).status, context).toBe(status);
  }
  return written;
}

interface Preview {
  readonly changes: readonly SentChange[];
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever they requested.
  readonly answer: any;
  /** Changes at the end of the list that are refused after those before them. */
  readonly refusals: readonly { readonly change: SentChange; readonly status: number }[];
}

/** Previews changes, and without those from the first that is refused. */
async function previewTaken(served: Served, request: object, changes: readonly SentChange[]): Promise<Preview> {
  // A change that changes nothing can always be tried.
  const tried = changes.length > 0 ? changes : [{ method: 'PATCH', path: '/v3/people/101', body: {} }];
  const { status, json } = await served.post('/v3/preview', { ...request, changes: tried });
  if (status === 200) return { changes: tried, answer: json(), refusals: [] };
  const position = Number(/^Change (\d+), /.exec(json().message)?.[1]);
  expect(position, JSON.stringify([json(), tried])).toBeGreaterThan(0);
  const taken = await previewTaken(served, request, tried.slice(0, position - 1));
  const change = tried[position - 1];
  return { ...taken, refusals: change ? [{ change, status }] : [] };
}

async function readReport(served: Served, { report, parameters }: { report: string; parameters: object }) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
  const { status, json, text } = await served.get(`/v3/reports/${report}?${query}`);
  expect(status, text).toBe(200);
  return json()[report];
}

async function makeChange(reader: Pick<Database, 'rows'>, prng: Prng): Promise<SentChange> {
  const { resource, id, body } = await makeRequest(reader, prng);
  const path = `/v3/${resource.replaceAll('_', '-')}${id === undefined ? '' : `/${id}`}`;
  if (body === undefined) return { method: 'DELETE', path };
  return { method: id === undefined ? 'POST' : 'PATCH', path, body };
}

function send(served: Served, { method, path, body }: SentChange): Promise<Reply> {
  const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
  return fetchReply(new URL(path, served.url), headers, method, body ? JSON.stringify(body) : null);
}
