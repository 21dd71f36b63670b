import { RATE_LIMIT } from '../../../src/records/resource/field.ts';
import { type Case, COMPANY, testCases } from '../../errors/gallery.ts';
import { takePart } from '../../seed.ts';

const LOAD = 'load DIR/data';

/** A load of records that have nothing to do with those of the database. */
const REPLACE = `${LOAD} --accept-shrink`;
const WINDOW = '--start-date 2026-01-01 --end-date 2026-01-31';
const FINDINGS = `report data-quality ${WINDOW} --format table`;
const PEOPLE = `report people ${WINDOW} --fields people_id,name,scheduled_hours,actual_hours --format csv`;

/** An allocation of Ada to the bridge on one day, and her hours on it. */
const TASK = { project_id: 1, people_id: 1, start_date: '2026-01-12', end_date: '2026-01-12', hours: 4 };
const LOGGED = { project_id: 1, people_id: 1, date: '2026-01-12', hours: 4 };
const [ADA] = COMPANY['people'] ?? [];
const [BRIDGE] = COMPANY['projects'] ?? [];

/** Lists the small company's records of a resource, then others. */
const beside = (resource: string, ...others: readonly unknown[]) => [...(COMPANY[resource] ?? []), ...others];

/** Formats NDJSON with numbers as written, which JSON.stringify can't do. */
const lines = (...records: readonly string[]) => records.map((record) => `${record}\n`).join('');

const loggedLine = (id: string, hours: string) =>
  `{"logged_time_id": "${id}", "project_id": 1, "people_id": 1, "date": "2026-01-12", "hours": ${hours}}`;

/** Loads that reject invalid records and load all others. */
const CASES: readonly Case[] = [
  {
    name: 'end-before-start',
    title:
      'Spans end before they start: a person, a project, a phase, an allocation, its repeats, time off, a holiday.',
    files: {
      'data/people.json': [ADA, { people_id: 2, name: 'Bo', start_date: '2026-02-01', end_date: '2026-01-31' }],
      'data/projects.json': [BRIDGE, { project_id: 2, start_date: '2026-02-01', end_date: '2026-01-31' }],
      'data/phases.json': [{ phase_id: 1, project_id: 1, start_date: '2026-02-01', end_date: '2026-01-31' }],
      'data/tasks.json': beside(
        'tasks',
        { ...TASK, task_id: 2, end_date: '2026-01-11' },
        { ...TASK, task_id: 3, repeat_state: 1, repeat_end_date: '2026-01-11' },
      ),
      'data/timeoffs.json': [{ timeoff_id: 1, people_id: 1, start_date: '2026-01-12', end_date: '2026-01-11' }],
      'data/holidays.json': [{ holiday_id: 1, name: 'New year', date: '2026-01-02', end_date: '2026-01-01' }],
    },
    commands: [LOAD, FINDINGS],
  },
  {
    name: 'dates',
    title: 'Dates are no days: 31 February, another order, a time of day, a number, words.',
    files: {
      'data/tasks.json': beside(
        'tasks',
        { ...TASK, task_id: 2, start_date: '2026-02-31' },
        { ...TASK, task_id: 3, end_date: '31.01.2026' },
        { ...TASK, task_id: 4, start_date: '2026-01-12T08:00:00Z' },
        { ...TASK, task_id: 5, start_date: 20260112 },
        { ...TASK, task_id: 6, start_date: 'tomorrow' },
        { ...TASK, task_id: 7, start_date: '2026-1-5' },
        { ...TASK, task_id: 8, start_date: '2025-02-29' },
        { ...TASK, task_id: 9, start_date: null },
      ),
    },
    commands: [LOAD, PEOPLE],
  },
  {
    name: 'million-days',
    title: 'An allocation lasts a million days; another begins in 1769; one is as long as can be.',
    files: {
      'data/tasks.json': beside(
        'tasks',
        { ...TASK, task_id: 2, end_date: '4763-12-10' },
        { ...TASK, task_id: 3, start_date: '1769-07-14' },
        { ...TASK, task_id: 4, end_date: '+1000000-01-01' },
        { ...TASK, task_id: 5, start_date: '1970-01-01', end_date: '2099-12-31', hours: 0.5 },
      ),
    },
    commands: [LOAD, PEOPLE],
  },
  {
    name: 'hours',
    title: 'Hours are below 0, above 24, or missing; 0 and 24 are right.',
    files: {
      'data/logged_time.json': beside(
        'logged_time',
        { ...LOGGED, logged_time_id: 'b', hours: -1 },
        { ...LOGGED, logged_time_id: 'c', hours: 25 },
        { ...LOGGED, logged_time_id: 'd', hours: 24.0001 },
        { ...LOGGED, logged_time_id: 'e', hours: null },
        { ...LOGGED, logged_time_id: 'f', hours: 0 },
        { ...LOGGED, logged_time_id: 'g', hours: 24 },
      ),
    },
    commands: [LOAD, PEOPLE],
  },
  {
    name: 'numbers',
    title: 'Numbers are none, too large, too long or written strangely.',
    files: {
      'data/logged_time.ndjson': lines(
        loggedLine('nan', 'NaN'),
        loggedLine('nan in quotes', '"NaN"'),
        loggedLine('infinity', '"Infinity"'),
        loggedLine('1e400', '1e400'),
        loggedLine('-1e400', '-1e400'),
        loggedLine('20 digits', '12345678901234567890'),
        loggedLine('20 decimals', '1.12345678901234567890'),
        loggedLine('20 decimals in quotes', '"2.12345678901234567890"'),
        loggedLine('comma', '"1,5"'),
        loggedLine('blank', '" 8"'),
        loggedLine('underscore', '"1_0"'),
        loggedLine('hexadecimal', '"0x8"'),
        loggedLine('1e0', '1e0'),
        loggedLine('1e0 in quotes', '"1e0"'),
      ),
      'data/people.ndjson': lines(
        '{"people_id": 12345678901234567890, "name": "an id of 20 digits"}',
        '{"people_id": 1e400, "name": "an id beyond every number"}',
        '{"people_id": 2, "name": "a rate of 20 digits", "cost_rate": 12345678901234567890}',
        '{"people_id": 3, "name": "a rate beyond every number", "cost_rate": 1e400}',
        `{"people_id": 4, "name": "a rate at the limit", "cost_rate": ${RATE_LIMIT}}`,
        `{"people_id": 5, "name": "a rate below the limit", "cost_rate": ${Number(RATE_LIMIT) - 1}.999}`,
      ),
    },
    commands: [REPLACE, PEOPLE],
  },
  {
    name: 'unknown-people',
    title: 'People who do not exist stand in a team, an allocation and logged time: all of it counts.',
    files: {
      'data/projects.json': [{ ...BRIDGE, project_team: [{ people_id: 77, hourly_rate: 90 }, { people_id: 1 }] }],
      'data/tasks.json': beside(
        'tasks',
        { ...TASK, task_id: 2, people_id: 78 },
        { ...TASK, task_id: 3, project_id: 9 },
      ),
      'data/logged_time.json': beside('logged_time', { ...LOGGED, logged_time_id: 'b', people_id: 79 }),
    },
    commands: [LOAD, FINDINGS, PEOPLE],
  },
  {
    name: 'nobody',
    title: 'Allocations and time off are of nobody; an id among others in people_ids is none.',
    files: {
      'data/tasks.json': beside(
        'tasks',
        { ...TASK, task_id: 2, people_id: null },
        { ...TASK, task_id: 3, people_id: 0, people_ids: [] },
        { ...TASK, task_id: 4, people_id: null, people_ids: ['x', 0] },
        { ...TASK, task_id: 5, people_id: null, people_ids: ['x', 1] },
      ),
      'data/timeoffs.json': [{ timeoff_id: 1, start_date: '2026-01-13', end_date: '2026-01-13' }],
    },
    commands: [LOAD, FINDINGS],
  },
  {
    name: 'holidays',
    title: 'Holidays are on no day, or of a region that is only a name; of several days one is none.',
    files: {
      'data/holidays.json': [
        { holiday_id: 1, name: 'On no day' },
        { holiday_id: 2, name: 'On no day', end_date: '2026-01-06', dates: ['2026-02-30'] },
        { holiday_id: 3, name: 'Of a name', date: '2026-01-06', region: 'North' },
        { holiday_id: 4, name: 'Of a name', date: '2026-01-06', region: { name: 'North' } },
        { holiday_id: 5, name: 'Two days', dates: ['2026-01-06', '2026-02-30'], region: { id: 7, name: 'North' } },
      ],
    },
    commands: [LOAD, FINDINGS],
  },
  {
    name: 'one-id-twice',
    title: 'Two records have one id, in one file and over two pages: the last one counts.',
    files: {
      'data/logged_time.1.json': [
        { ...LOGGED, logged_time_id: 'b', hours: 1 },
        { ...LOGGED, logged_time_id: 'b', hours: 2 },
        { ...LOGGED, logged_time_id: 'c', hours: 4 },
      ],
      'data/logged_time.2.json': [
        { ...LOGGED, logged_time_id: 'c', hours: 8 },
        { ...LOGGED, logged_time_id: 'c', hours: 99 },
      ],
    },
    commands: [REPLACE, PEOPLE],
  },
  {
    name: 'fields-unknown',
    title: 'Records have fields that mean nothing here; one has a field twice.',
    files: {
      'data/people.json': lines(
        '{"people_id": 1, "name": "Ada", "shoe_size": 38, "contracts": [{"cost_rate": 50, "grade": "A"}]}',
        '{"people_id": 2, "name": "Bo", "name": "Bob"}',
      ),
      'data/export.log': 'done\n',
      'data/backup/people.json': [],
    },
    commands: [LOAD],
  },
  {
    name: 'byte-order-marks',
    title: 'Files begin with a UTF-8 byte order mark, which is no fault.',
    files: {
      'data/people.json': `\ufeff${JSON.stringify([ADA])}\n`,
      'data/projects.csv': '\ufeffproject_id,name\n1,Bridge\n',
      'data/tasks.ndjson': `\ufeff${JSON.stringify({ ...TASK, task_id: 1 })}\n`,
    },
    commands: [LOAD, PEOPLE],
  },
  {
    name: 'csv-stray-quotes',
    title: 'Quotes went astray in a CSV file: the lines around them load.',
    files: {
      'data/people.csv': lines(
        'people_id,name,job_title',
        '1,Ada,Engineer',
        '2,"Bo,Welder',
        '3,Cy,Driver',
        '4,Di "the" Drill,Driller',
        '5,"Ed "the" Elder",Clerk',
        '6,"Fay, the\nsecond",Clerk',
        '7,Gus',
        '8,Hal,Clerk,extra',
        '9,Ida,"Painter',
      ),
    },
    commands: [REPLACE, PEOPLE],
  },
  {
    name: 'object-for-list',
    title: 'Objects stand where lists should, and lists where objects should.',
    files: {
      'data/people.json': { people_id: 1, name: 'Ada' },
      'data/projects.json': { projects: [BRIDGE] },
      'data/tasks.json': [beside('tasks')],
      'data/logged_time.json': [1, 'x', null, ...beside('logged_time')],
      'data/clients.json': { data: [{ client_id: 1 }] },
      'data/phases.json': [{ phase_id: 1, project_id: 1, phase_team: { people_id: 1 } }],
    },
    commands: [REPLACE, FINDINGS],
  },
];

testCases(takePart(CASES));
