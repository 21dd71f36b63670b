import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

describe('milestones', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      projects: [{ project_id: 1, name: 'Bridge' }],
      milestones: [{ milestone_id: 1, project_id: 1, name: 'Loaded', date: '2026-02-02 09:30' }],
    });
  });
  afterAll(() => service.close());

  const make = (date: string) => service.call('POST', '/v3/milestones', { project_id: 1, name: 'Go', date });

  it.each(['2026-02-02 09:30', '2026-02-02 09:30:15', '2026-02-02T00:00'])(
    'keep the day of %s, and name the time of day as ignored',
    async (date) => {
      const { status, json, headers } = await make(date);
      expect([status, json.date, headers['x-ignored-fields']]).toEqual([201, '2026-02-02', 'date.time']);
    },
  );

  it.each(['2026-02-02 9:30', '2026-02-30 09:30', '2026-02-02 09:30 PM', '09:30'])('refuse %s', async (date) => {
    const { status, json } = await make(date);
    expect([status, json.errors[0].field]).toEqual([422, 'date']);
  });

  it('are loaded with a time of day, too', async () => {
    expect((await service.call('GET', '/v3/milestones/1')).json.date).toBe('2026-02-02');
  });
});
