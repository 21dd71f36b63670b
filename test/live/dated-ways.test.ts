import { expect, it } from 'vitest';
import { findResource } from '../../src/records/resource/resources.ts';
import { arePrices, findDatedWay, sayDatedWay } from '../../src/store/live/dated-ways.ts';
import type { Row } from '../../src/store/record/node.ts';

const DAYS = {
  march: { startDate: '2026-03-01', endDate: '2026-03-31' },
  january: { startDate: '2026-01-01', endDate: '2026-01-31' },
};

it('names the day after all days that are closed, whichever was closed last', () => {
  const { march, january } = DAYS;
  const way = 'give an effective_date from 2026-04-01 on, or ';
  expect(sayDatedWay('effective_date', [january, march])).toBe(way);
  expect(sayDatedWay('effective_date', [march, january])).toBe(way);
  expect(sayDatedWay(undefined, [march])).toBe('');
});

it('takes the rates of members of teams for prices, and their roles for more', () => {
  const team = (hourly_rate: string | null, role_id: number): Row => ({
    project_team: [{ people_id: 1, role_id, hourly_rate }],
  });
  const change = (before: Row, after: Row) => ({
    method: 'PATCH' as const,
    resource: findResource('projects'),
    before,
    after,
  });
  expect(arePrices([change(team('90.0000', 3), team(null, 3))])).toBe(true);
  expect(arePrices([change(team('90.0000', 3), team('90.0000', 4))])).toBe(false);
  expect(arePrices([change(team('90.0000', 3), team('95.0000', 4))])).toBe(false);
  expect(arePrices([change(team('90.0000', 3), team('90.0000', 3))])).toBe(false);
});

it('finds no way with a day where the writer has none', () => {
  const before = { default_hourly_rate: '90.0000' };
  const change = {
    method: 'PATCH' as const,
    resource: findResource('roles'),
    before,
    after: { default_hourly_rate: '95.0000' },
  };
  expect(findDatedWay([change])).toBe('effective_date');
  expect(findDatedWay([change], { hasNoDay: true })).toBeUndefined();
});
