import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

export interface Week {
  readonly person: number;
  readonly scheduledHours: number | string | null | undefined;
  readonly actualHours: number | string | null | undefined;
  /** The error message for a person without a name. */
  readonly refusal: readonly { field: string; message: string }[] | undefined;
}

/** Plans and logs a week through a client typed by the OpenAPI document. */
export async function planWeek(baseUrl: string, token: string): Promise<Week> {
  const client = createClient<paths, 'application/json'>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  const person = need(
    (await client.POST('/v3/people', { body: { name: 'Ada Moreau', default_hourly_rate: '120.00' } })).data,
  );
  const project = need((await client.POST('/v3/projects', { body: { name: 'Metering pilot' } })).data);
  const [people_id, project_id] = [need(person.people_id), need(project.project_id)];
  const plan = { people_id, project_id, start_date: '2026-06-08', end_date: '2026-06-12', hours: '6.5' };
  need((await client.POST('/v3/tasks', { body: plan })).data);
  const done = { people_id, project_id, date: '2026-06-08', hours: 7.25 };
  need(
    (await client.POST('/v3/logged-time', { body: done, params: { header: { 'Idempotency-Key': 'monday' } } })).data,
  );
  const report = await client.GET('/v3/reports/projects', {
    params: { query: { start_date: '2026-06-01', end_date: '2026-06-30', project_id: [String(project_id)] } },
  });
  const row = need(report.data).projects[0];
  // @ts-expect-error Both the types and the service refuse a person without a name.
  const refused = await client.POST('/v3/people', { body: {} });
  return {
    person: people_id,
    scheduledHours: row?.scheduled_hours,
    actualHours: row?.actual_hours,
    refusal: refused.error?.errors,
  };
}

function need<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('The response has a missing value');
  return value;
}
