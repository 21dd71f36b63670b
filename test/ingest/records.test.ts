import { describe, expect, test } from 'vitest';
import { resources } from '../../src/records/resource/resources.ts';
import { reasonsOf, rowsOf, withDataset } from './dataset.ts';

const task = { task_id: 1, project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 8 };
const timeoff = { timeoff_id: 1, people_ids: [1], start_date: '2026-01-05', end_date: '2026-01-09' };
const NOBODY = 'people_id is missing, and people_ids is empty';
const NO_DAY = 'date is missing, and dates is empty';

const complete: Readonly<Record<string, object>> = {
  departments: { department_id: 1 },
  clients: { client_id: 1 },
  accounts: { account_id: 1 },
  roles: { role_id: 1 },
  people: { people_id: 1 },
  project_stages: { stage_id: 1 },
  projects: { project_id: 1 },
  phases: { phase_id: 1, project_id: 1 },
  milestones: { milestone_id: 1 },
  project_tasks: { task_meta_id: 1, project_id: 1 },
  tasks: task,
  timeoff_types: { timeoff_type_id: 1 },
  status: { status_id: 1, people_id: 1, start_date: '2026-01-05' },
  timeoffs: timeoff,
  holidays: { holiday_id: 1, date: '2026-01-05' },
  logged_time: { logged_time_id: 'a', people_id: 1, date: '2026-01-05', hours: 8 },
  progress: { progress_id: 1, project_id: 1, date: '2026-01-05', percent: 40 },
  rate_cards: { rate_card_id: 1 },
  retainers: { retainer_id: 1, project_id: 1, start_date: '2026-01-05', amounts: [{ amount: 40 }] },
  project_expenses: { project_expense_id: 1, project_id: 1, date: '2026-01-05', cost: 10 },
  invoices: { invoice_id: 1, issue_date: '2026-01-31' },
  invoice_lines: { invoice_line_id: 1, invoice_id: 1, amount: 10 },
  write_offs: { write_off_id: 1, project_id: 1, date: '2026-01-31', amount: 10 },
};

describe('1.3 required fields', { tags: ['slow'] }, () => {
  test.each(resources.map((resource) => [resource.name, resource] as const))('%s', async (name, { fields }) => {
    const record = complete[name] ?? {};
    expect(await reasonsOf(name, record)).toEqual([]);
    const required = Object.keys(fields).filter((key) => fields[key]?.required);
    const cases = required.flatMap((field) => {
      const blanks = [undefined, null, '', ...(fields[field]?.type === 'id' ? [0, '0'] : [])];
      return blanks.map((blank) => ({ field, record: { ...record, [field]: blank } }));
    });
    expect(await reasonsOf(name, ...cases.map((one) => one.record))).toEqual(
      cases.map(({ field }) => `${field}: missing`),
    );
  });

  test.each([
    ['people_id alone', { people_id: 5 }, []],
    ['people_ids alone', { people_ids: [5] }, []],
    ['people_ids as strings', { people_ids: ['7', '5'] }, []],
    ['one of people_ids', { people_ids: ['x', '5'] }, ['people_id: not an id']],
    ['people_ids as text', { people_ids: '5, 6' }, []],
    ['one id', { people_ids: 5 }, []],
    ['nobody', {}, [NOBODY]],
    ['an empty list', { people_ids: [] }, [NOBODY]],
    ['0', { people_id: 0, people_ids: [0] }, [NOBODY]],
    ['no list', { people_ids: { id: 5 } }, ['people_ids: not a list', NOBODY]],
  ])('a person of an allocation: %s', async (_name, person, reasons) => {
    const { people_id: _, ...rest } = task;
    expect(await reasonsOf('tasks', { ...rest, ...person })).toEqual(reasons);
  });

  test.each([
    ['date alone', { date: '2026-01-05' }, []],
    ['dates alone', { dates: ['2026-01-05'] }, []],
    ['dates as text', { dates: '2026-01-05, 2026-01-06' }, []],
    ['one of dates', { dates: ['x', '2026-01-05'] }, ['date: not a day written YYYY-MM-DD']],
    ['none', { name: 'Easter' }, [NO_DAY]],
    ['an end alone', { end_date: '2026-01-05' }, [NO_DAY]],
    ['an empty list', { dates: [] }, [NO_DAY]],
    ['a list without a valid day', { dates: ['2026-02-30', '2100-01-01', null] }, [NO_DAY]],
    ['an end before', { date: '2026-01-05', end_date: '2026-01-04' }, ['end_date is before date']],
  ])('a day of a holiday: %s', async (_name, days, reasons) => {
    expect(await reasonsOf('holidays', { holiday_id: 1, ...days })).toEqual(reasons);
  });

  test.each([
    ['none', {}, null, null],
    ['an id', { region: 7 }, 7, null],
    ['an id as text', { region: '7' }, 7, null],
    ['region_id before region', { region_id: 7, region: 8 }, 7, null],
    ['an object', { region: { id: 7, name: 'North' } }, 7, 'North'],
    ['an object with region_id', { region: { region_id: '7' } }, 7, null],
    ['0', { region: 0 }, null, null],
  ])('the region of a holiday: %s', async (_name, region, region_id, region_name) => {
    await withDataset({ 'holidays.json': [{ id: 1, date: '2026-01-05', ...region }] }, async ({ rows }) => {
      expect(await rows('SELECT region_id, region_name FROM source.holidays')).toEqual([{ region_id, region_name }]);
    });
  });

  test.each([['North'], [{ name: 'North' }], [['7']]])(
    'a holiday whose region has no valid id is set aside: %j',
    async (region) => {
      expect(await reasonsOf('holidays', { holiday_id: 1, date: '2026-01-05', region })).toEqual([
        'region_id: not an id',
      ]);
    },
  );

  test('people_ids without a valid id', async () => {
    const { people_ids: _, ...rest } = timeoff;
    await withDataset({ 'timeoffs.json': [{ ...rest, people_ids: ['x', null, -1] }] }, async ({ summary, rows }) => {
      expect(summary.reasons.map(({ reason }) => reason)).toEqual([NOBODY]);
      expect(await rows('FROM source.timeoff_people')).toEqual([]);
    });
  });
});

describe('1.3 the order of dates', () => {
  const early = '2026-01-04';
  test.each([
    ['tasks', { ...task, end_date: early }, ['end_date is before start_date']],
    ['tasks', { ...task, end_date: task.start_date }, []],
    ['tasks', { ...task, repeat_state: 1, repeat_end_date: early }, ['repeat_end_date is before start_date']],
    ['timeoffs', { ...timeoff, end_date: early }, ['end_date is before start_date']],
    ['people', { people_id: 1, start_date: '2026-01-05', end_date: early }, ['end_date is before start_date']],
    ['projects', { project_id: 1, start_date: '2026-01-05', end_date: early }, ['end_date is before start_date']],
    [
      'phases',
      { phase_id: 1, project_id: 1, start_date: '2026-01-05', end_date: early },
      ['end_date is before start_date'],
    ],
  ])('%s %j', async (resource, record, reasons) => {
    expect(await reasonsOf(resource, record)).toEqual(reasons);
  });
});

test('an expense whose fee would overflow is set aside', async () => {
  const expense = { project_expense_id: 1, project_id: 1, date: '2026-01-05', cost: '99999999999' };
  expect(await reasonsOf('project_expenses', { ...expense, markup: '99999999999' })).toEqual([
    'cost with its markup is too large',
  ]);
  const credit = { ...expense, cost: '-99999999999' };
  expect(await reasonsOf('project_expenses', { ...credit, markup: '99999999999' })).toEqual([
    'cost with its markup is too large',
  ]);
  expect(await reasonsOf('project_expenses', { ...expense, markup: '99999999999', markup_type: 1 })).toEqual([]);
});

describe('1.4 enumerations', () => {
  test.each([
    ['projects', 'status', [0, 1, 2, 3, 4], 5],
    ['phases', 'status', [0, 1, 2, 3, 4], 5],
    ['tasks', 'status', [0, 1, 2, 3, 4], 5],
    ['timeoffs', 'status', [1, 2, 3], 0],
    ['people', 'people_type_id', [1, 2, 3, 4], 5],
    ['projects', 'budget_type', [0, 1, 2, 3], 4],
    ['projects', 'budget_priority', [0, 1, 2], 3],
    ['project_expenses', 'markup_type', [0, 1], 2],
    ['tasks', 'repeat_state', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 10],
    ['timeoffs', 'repeat_state', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 10],
  ])('%s.%s', async (resource, field, codes, wrong) => {
    expect(await reasonsOf(resource, ...codes.map((code) => ({ ...complete[resource], [field]: code })))).toEqual([]);
    expect(await reasonsOf(resource, { ...complete[resource], [field]: wrong })).toEqual([
      `${field}: not one of ${codes.join(', ')}`,
    ]);
  });
});

describe('1.3 items', () => {
  test('a bad item is set aside, and the record is kept', async () => {
    const people = [
      { people_id: 1 },
      {
        people_id: 7,
        contracts: [
          { cost_rate: 5 },
          { effective_date: '2026-02-31', cost_rate: -1, note: 'x' },
          'x',
          null,
          { effective_date: '2026-01-01', role_id: '3', cost_rate: '7.5' },
        ],
      },
    ];
    await withDataset({ 'people.json': people }, async ({ summary, rows }) => {
      expect(
        await rows('SELECT people_id, position, effective_date, role_id, cost_rate FROM source.contracts'),
      ).toEqual([
        { people_id: 7, position: 1, effective_date: null, role_id: null, cost_rate: '5.0000' },
        { people_id: 7, position: 5, effective_date: '2026-01-01', role_id: 3, cost_rate: '7.5000' },
      ]);
      expect(await rows('SELECT position, record_id, item, reasons, record FROM source.rejected')).toEqual([
        {
          position: 2,
          record_id: '7',
          item: 'contracts[2]',
          reasons: ['effective_date: not a day written YYYY-MM-DD', 'cost_rate: below 0'],
          record: '{"effective_date":"2026-02-31","cost_rate":-1,"note":"x"}',
        },
        { position: 2, record_id: '7', item: 'contracts[3]', reasons: ['not an object'], record: '"x"' },
        { position: 2, record_id: '7', item: 'contracts[4]', reasons: ['not an object'], record: 'null' },
      ]);
      expect(summary.resources.find(({ resource }) => resource === 'people')).toMatchObject({
        loaded: 2,
        setAside: 0,
        itemsSetAside: 3,
      });
      expect(summary.reasons).toContainEqual({
        resource: 'people',
        list: 'contracts',
        reason: 'cost_rate: below 0',
        count: 1,
        example: { file: 'people.json', position: 2, id: '7', item: 'contracts[2]' },
        values: [{ field: 'cost_rate', text: '-1' }],
      });
    });
  });

  test('an invalid list sets the record aside', async () => {
    expect(await reasonsOf('people', { people_id: 1, contracts: { a: 1 } })).toEqual(['contracts: not a list']);
    expect(await reasonsOf('people', { people_id: 1, work_days_hours_history: [[1]] })).toEqual([
      'work_days_hours_history: not an object with dates as keys',
    ]);
    expect(await reasonsOf('people', { people_id: 1, contracts: null, tags: '', work_days_hours_history: [] })).toEqual(
      [],
    );
  });

  test('tags may be strings or objects with a name, and become lower case without blanks around them', async () => {
    const people = [
      { people_id: 1, tags: ['Senior', { name: 'ÅB', id: 5 }, 7, '', {}, ['x'], '\u00a0VIP \t\n', ' \u3000'] },
    ];
    await withDataset({ 'people.json': people }, async ({ rows }) => {
      expect(await rows('FROM source.people_tags')).toEqual([
        { people_id: 1, position: 1, tag: 'senior' },
        { people_id: 1, position: 2, tag: 'åb' },
        { people_id: 1, position: 3, tag: '7' },
        { people_id: 1, position: 7, tag: 'vip' },
      ]);
      expect(await rows('SELECT item, reasons FROM source.rejected')).toEqual([
        { item: 'tags[4]', reasons: ['tag: missing'] },
        { item: 'tags[5]', reasons: ['tag: missing'] },
        { item: 'tags[6]', reasons: ['tag: not a text'] },
        { item: 'tags[8]', reasons: ['tag: missing'] },
      ]);
    });
  });

  test('the history of work hours is an object keyed by date', async () => {
    const week = [0, 8, 8, 8, 8, 4.5, 0];
    const people = [
      { people_id: 1, work_days_hours_history: { '2025-01-01': week, '2026-02-30': week, '2026-01-01': [8] } },
    ];
    await withDataset({ 'people.json': people }, async ({ rows }) => {
      expect(
        await rows('SELECT position, effective_date, work_days_hours[6] AS friday FROM source.work_days_hours_history'),
      ).toEqual([{ position: 1, effective_date: '2025-01-01', friday: '4.5000' }]);
      expect(await rows('SELECT item, reasons, record FROM source.rejected')).toEqual([
        {
          item: 'work_days_hours_history[2]',
          reasons: ['effective_date: not a day written YYYY-MM-DD'],
          record: JSON.stringify({ '2026-02-30': week }),
        },
        {
          item: 'work_days_hours_history[3]',
          reasons: ['work_days_hours: not 7 numbers from 0 to 24'],
          record: '{"2026-01-01":[8]}',
        },
      ]);
    });
  });
});

describe('1.3 the same id twice', () => {
  test('the last one counts, with its items, across pages', async () => {
    const files = {
      'tasks.1.json': [
        { ...task, people_id: null, people_ids: [1, 2] },
        { ...task, task_id: 2 },
      ],
      'tasks.2.json': [
        { ...task, hours: 4, people_id: null, people_ids: [3] },
        { ...task, task_id: 3 },
      ],
    };
    await withDataset(files, async ({ summary, rows }) => {
      expect(await rows('SELECT task_id, hours FROM source.tasks')).toEqual([
        { task_id: 2, hours: '8.0000' },
        { task_id: 1, hours: '4.0000' },
        { task_id: 3, hours: '8.0000' },
      ]);
      expect(await rows('FROM source.task_people')).toEqual([{ task_id: 1, position: 1, people_id: 3 }]);
      expect(summary.resources.find(({ resource }) => resource === 'tasks')).toMatchObject({
        files: 2,
        read: 4,
        loaded: 3,
        setAside: 0,
        duplicates: 1,
      });
    });
  });

  test('a later invalid record does not count', async () => {
    const files = { 'logged_time.json': [{ ...complete['logged_time'] }, { ...complete['logged_time'], hours: 25 }] };
    await withDataset(files, async ({ summary, rows }) => {
      expect(await rows('SELECT hours FROM source.logged_time')).toEqual([{ hours: '8.0000' }]);
      expect(summary.resources.find(({ resource }) => resource === 'logged_time')).toMatchObject({
        read: 2,
        loaded: 1,
        setAside: 1,
        duplicates: 0,
      });
    });
  });
});

describe('expenses inside projects', () => {
  const expense = { id: 5, date: '2026-01-05', cost: 10 };

  test('count as expenses with the id of their project, before those of the file', async () => {
    const files = {
      'projects.json': [
        { project_id: 1 },
        {
          project_id: 2,
          expenses: [
            expense,
            { ...expense, id: 6, project_id: 9, cost: '-100000000000' },
            'x',
            { ...expense, id: 7, project_id: '' },
          ],
        },
      ],
      'project_expenses.json': [
        { ...expense, project_id: 2, cost: 11 },
        { ...expense, id: 8 },
      ],
    };
    await withDataset(files, async ({ summary, rows }) => {
      expect(await rows('SELECT project_expense_id AS id, project_id, cost FROM source.project_expenses')).toEqual([
        { id: 7, project_id: 2, cost: '10.0000' },
        { id: 5, project_id: 2, cost: '11.0000' },
      ]);
      expect(await rows('SELECT file, position, record_id, item, reasons FROM source.rejected')).toEqual([
        { file: 'projects.json', position: 2, record_id: '6', item: null, reasons: ['cost: not above -100000000000'] },
        { file: 'projects.json', position: 2, record_id: null, item: null, reasons: ['not an object'] },
        { file: 'project_expenses.json', position: 2, record_id: '8', item: null, reasons: ['project_id: missing'] },
      ]);
      expect(summary.resources.find(({ resource }) => resource === 'project_expenses')).toMatchObject({
        files: 1,
        read: 6,
        loaded: 2,
        setAside: 3,
        duplicates: 1,
      });
    });
  });

  test('are dropped with a project that is a duplicate or set aside', async () => {
    const projects = [
      { project_id: 1, expenses: [expense], project_team: [{ people_id: 1 }], tags: ['a'] },
      { project_id: 1, expenses: [{ ...expense, id: 6 }], project_team: [{ people_id: 2 }] },
      { project_id: 2, status: 9, expenses: [{ ...expense, id: 7 }], project_team: [{ people_id: 3 }] },
    ];
    await withDataset({ 'projects.json': projects }, async ({ rows }) => {
      expect(await rows('SELECT project_expense_id AS id FROM source.project_expenses')).toEqual([{ id: 6 }]);
      expect(await rows('SELECT people_id FROM source.project_team')).toEqual([{ people_id: 2 }]);
      expect(await rows('FROM source.project_tags')).toEqual([]);
      expect(await rows('SELECT record LIKE \'%"id":7%\' AS kept FROM source.rejected')).toEqual([{ kept: true }]);
    });
  });
});

test('a dangling id is no reason to set a record aside', async () => {
  expect(
    await rowsOf(
      { 'tasks.json': [{ ...task, people_id: 999, phase_id: 888 }] },
      'SELECT people_id, phase_id FROM source.tasks',
    ),
  ).toEqual([{ people_id: 999, phase_id: 888 }]);
});

describe('the counts', () => {
  const files = {
    'tasks.1.json': [task, { ...task, hours: 25, status: 7 }, { ...task, task_id: 2, hours: 1.0000005 }],
    'tasks.2.ndjson': [task, { ...task, task_id: 'x' }, { ...task, task_id: 3, people_id: null, people_ids: [1, 'x'] }],
    'tasks.3.csv': `task_id,project_id,people_id,start_date,end_date,hours\n4,1,1,2026-01-05,2026-01-05,8\n5,1,1,"2026-01-05,2026-01-05,8\n`,
  };

  test('add up: read = loaded + set aside + duplicates', async () => {
    await withDataset(files, async ({ summary, rows }) => {
      const tasks = {
        resource: 'tasks',
        files: 3,
        read: 8,
        loaded: 4,
        setAside: 3,
        duplicates: 1,
        itemsSetAside: 1,
        roundedValues: 1,
      };
      expect(summary.resources.find(({ resource }) => resource === 'tasks')).toEqual(tasks);
      for (const { read, loaded, setAside, duplicates } of summary.resources)
        expect(read).toBe(loaded + setAside + duplicates);
      expect(
        await rows(
          "SELECT read, loaded, set_aside, duplicates, items_set_aside, rounded_values FROM source.load_counts WHERE resource = 'tasks'",
        ),
      ).toEqual([{ read: 8, loaded: 4, set_aside: 3, duplicates: 1, items_set_aside: 1, rounded_values: 1 }]);
      expect(
        summary.reasons.map(({ list, reason, count, example }) => [
          list,
          reason,
          count,
          example.file,
          example.position,
        ]),
      ).toEqual([
        [null, 'hours: outside 0 to 24', 1, 'tasks.1.json', 2],
        [null, 'status: not one of 0, 1, 2, 3, 4', 1, 'tasks.1.json', 2],
        [null, 'task_id: not an id', 1, 'tasks.2.ndjson', 2],
        [null, 'a quote is not closed', 1, 'tasks.3.csv', 2],
        ['people_ids', 'people_id: not an id', 1, 'tasks.2.ndjson', 3],
      ]);
    });
  });

  test('a strict load fails and names the reasons and positions', async () => {
    const error = await withDataset(files, async () => undefined, { strict: true }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'input' });
    expect(String(error)).toContain('3 records and 1 item would be set aside:');
    expect(String(error)).toContain('tasks: hours: outside 0 to 24: 1, first 25 in tasks.1.json, record 2 (id 1)');
    expect(String(error)).toContain(
      'tasks, people_ids: people_id: not an id: 1, first "x" in tasks.2.ndjson, record 3 (id 3), people_ids[2]',
    );
  });

  test('a strict load accepts duplicates, unknown fields and rounding', async () => {
    await withDataset(
      { 'tasks.json': [task, { ...task, hours: 1.0000005, color: 1 }] },
      async ({ rows }) => {
        expect(await rows('SELECT hours FROM source.tasks')).toEqual([{ hours: '1.000001' }]);
      },
      { strict: true },
    );
  });
});

test('1.2 words are read in any case, and others set a record aside with those that are known', async () => {
  const projects = [
    { project_id: 1, contract: ' Fixed ', recognise: 'EVENLY', fee_expenses: '  ' },
    { project_id: 2, contract: 'lump' },
    { project_id: 3, recognise: ['done'] },
  ];
  await withDataset({ 'projects.json': projects }, async ({ rows }) => {
    const kept = 'SELECT project_id, contract, recognise, fee_expenses FROM source.projects';
    expect(await rows(kept)).toEqual([{ project_id: 1, contract: 'fixed', recognise: 'evenly', fee_expenses: null }]);
    expect(await rows('SELECT record_id, reasons FROM source.rejected ORDER BY 1')).toEqual([
      { record_id: '2', reasons: ['contract: not one of time, capped, fixed, internal'] },
      { record_id: '3', reasons: ['recognise: not a text'] },
    ]);
  });
});
