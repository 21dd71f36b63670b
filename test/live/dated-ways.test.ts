import { expect, it } from 'vitest';
import { sayDatedWay } from '../../src/store/live/dated-ways.ts';

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
