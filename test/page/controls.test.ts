import { expect, it } from 'vitest';
import type { Control } from './controls.ts';
import { LEFT } from './left-controls.ts';
import { openServer } from './opened-server.ts';
import { openWindow, readAnew, type Walk, walkScreen, watch } from './walk.ts';

const opened = openServer({
  data: {
    people: [{ people_id: 1, name: 'Ada', cost_rate: '40', default_hourly_rate: '100' }],
    projects: [{ project_id: 1, name: 'Bridge' }],
    logged_time: [{ logged_time_id: 'L1', people_id: 1, project_id: 1, date: '2026-02-03', hours: 8 }],
  },
});

/** Returns a function that takes one control of each kind, and what compares: the walk of test/long takes all. */
function takeKinds(): (control: Control) => boolean {
  const taken = new Set<string>();
  return ({ kind, name }) => {
    if (/^Compare/.test(name)) return true;
    const isNew = !taken.has(kind);
    taken.add(kind);
    return isNew || /^(1 Jan|Filter|Billable)/.test(name);
  };
}

it('a control of each kind leads to what its address shows, and back undoes it', { tags: ['slow'] }, async () => {
  const { tab, server } = opened;
  const walk: Walk = { faults: [], used: new Set(), left: new Set() };
  const readNew = readAnew(watch(await openWindow(tab.page.context())));
  const options = { tab, watched: watch(tab.page), readNew, lefts: LEFT, isWanted: takeKinds(), turn: 0 };
  const window = 'start_date=2026-01-01&end_date=2026-06-30&cutoff_date=2026-05-31';
  await walkScreen(options, `${server.url}/?screen=timesheets&${window}`, walk);
  expect(walk.faults).toEqual([]);
  expect(walk.used.size).toBeGreaterThan(6);
});
