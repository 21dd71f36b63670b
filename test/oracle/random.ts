import { EFFECT_MEASURES } from './bridges.ts';
import { addDays, daysBetween } from './calendar.ts';
import { AGREED_MEASURES, REVENUE_MEASURES } from './contracts.ts';
import type { Dataset, RawRecord, RecordValue } from './dataset.ts';
import { modelOf } from './ledger.ts';
import { AMOUNT_MEASURES, CAPACITY_MEASURES, EXPENSE_MEASURES, HOURS_MEASURES, NAMED_MEASURES } from './measures.ts';
import { FILTERS, type Filter, FLAGS, type Parameters } from './parameters.ts';
import { PIVOT_COLUMNS } from './pivot.ts';
import { Prng } from './prng.ts';
import { MISSING_MEASURES, TIMESHEET_MEASURES } from './timesheets.ts';

const FIRST = '2024-01-01';
const LAST = '2024-06-30';

/** Starts that are hard for monthly steps: fifth weekdays, ends of months, 29 February. */
const AWKWARD_STARTS = [
  '2024-01-29',
  '2024-01-30',
  '2024-01-31',
  '2024-02-28',
  '2024-02-29',
  '2024-03-29',
  '2024-03-31',
  '2024-04-30',
  '2024-05-31',
];

/** As a JSON number: float noise, removed at 15 digits (1.2). As a text: ordinary digits. */
const NOISY = ['0.30000000000000004', '1.0000499999999998'];
const HOURS = [
  '8',
  '4',
  '7.5',
  '6',
  '0.3333',
  '7.1250',
  '1.00005',
  '0.25',
  '6.6667',
  '12',
  '24',
  '2.33335',
  '0.0001',
  ...NOISY,
];
const RATES = [
  '100',
  '75.5',
  '33.3333',
  '0.0001',
  '125.1255',
  '19.995',
  '250.00005',
  '1000.5',
  '0.125',
  '66.6667',
  '87.00004',
  '12345.6789',
];
const AMOUNTS = ['10', '99.995', '0.005', '1234.5678', '0', '450.00005', '33.335', '1000000.5'];
const TAGS = ['alpha', 'Beta', 'GAMMA', 'beta', 'delta x'];
const CURRENCIES = ['USD', 'EUR', 'JPY', 'KWD'];

/** A record under construction: undefined fields are left out. */
type Draft = { [field: string]: RecordValue | undefined };

const UNKNOWN = { person: 999, project: 998, phase: 997, task: 996, role: 995, department: 994, allocation: 993 };

class Writer {
  readonly random: Prng;

  constructor(random: Prng) {
    this.random = random;
  }

  id(value: number): RecordValue {
    return this.random.chance(0.15) ? String(value) : value;
  }

  /** Returns a missing value: null, an empty text, or no field at all. */
  missing(): RecordValue | undefined {
    const kind = this.random.int(0, 3);
    return kind === 0 ? null : kind === 1 ? '' : undefined;
  }

  decimal(text: string): RecordValue {
    return this.random.chance(0.5) ? text : Number(text);
  }

  boolean(value: boolean): RecordValue {
    const spellings: RecordValue[] = value ? [1, true, '1'] : [0, false, '0'];
    return this.random.pick(spellings);
  }

  /** Returns a value with the given probability, else a missing one. */
  maybe<T extends RecordValue | undefined>(probability: number, value: () => T): RecordValue | undefined {
    return this.random.chance(probability) ? value() : this.missing();
  }

  maybeBoolean(probability: number): RecordValue | undefined {
    return this.maybe(probability, () => this.boolean(this.random.chance(0.5)));
  }

  rate(): RecordValue {
    return this.decimal(this.random.chance(0.12) ? '0' : this.random.pick(RATES));
  }

  phase(phaseId: number): RecordValue | undefined {
    if (phaseId !== 0) return this.id(phaseId);
    return this.random.chance(0.5) ? this.random.pick<RecordValue>([0, '0']) : this.missing();
  }

  record(draft: Draft): RawRecord {
    const record: RawRecord = {};
    for (const [field, value] of Object.entries(draft)) if (value !== undefined) record[field] = value;
    return record;
  }
}

interface Ids {
  departments: number[];
  clients: number[];
  roles: number[];
  people: number[];
  projects: number[];
  phases: { id: number; projectId: number }[];
  projectTasks: { id: number; projectId: number; phaseId: number }[];
  allocations: number[];
}

function numbered(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

function randomDay(random: Prng, first = FIRST, last = LAST): string {
  return addDays(first, random.int(0, daysBetween(first, last)));
}

function randomStart(random: Prng): string {
  return random.chance(0.3) ? random.pick(AWKWARD_STARTS) : randomDay(random, FIRST, '2024-05-31');
}

function nextSaturday(date: string): string {
  let day = date;
  while (new Date(`${day}T00:00:00Z`).getUTCDay() !== 6) day = addDays(day, 1);
  return day;
}

function randomWeek(write: Writer): RecordValue {
  const weeks = [
    ['0', '8', '8', '8', '8', '8', '0'],
    ['0', '7.5', '7.5', '7.5', '7.5', '6', '0'],
    ['0', '8', '0', '8', '0', '8', '0'],
    ['4', '0', '0', '6.3333', '6', '6', '4.00005'],
    ['0', '0', '0', '0', '0', '0', '0'],
    ['24', '8', '8', '8', '8', '0', '0.5'],
  ];
  return write.random.pick(weeks.slice(0, write.random.chance(0.2) ? 6 : 4)).map((hours) => write.decimal(hours));
}

/** The week of work by call (D7). */
const NO_WEEK = ['0', 0, 0, 0, 0, 0, 0];

function randomSettings(write: Writer): RawRecord {
  const { random } = write;
  return write.record({
    name: 'Office',
    currency: random.chance(0.85) ? random.pick(CURRENCIES) : undefined,
    work_days_hours: random.chance(0.4) ? randomWeek(write) : undefined,
    time_zone: random.chance(0.5) ? 'Europe/Stockholm' : undefined,
    week_starts_on: random.chance(0.85) ? random.int(0, 6) : undefined,
    fiscal_year_starts_in: random.chance(0.8) ? random.int(1, 12) : undefined,
  });
}

function randomRole(write: Writer, id: number): RawRecord {
  const { random } = write;
  const history: RecordValue[] = [];
  for (let index = random.int(0, 3); index > 0; index -= 1) {
    const bad = random.chance(0.04);
    history.push(
      write.record({
        rate: bad ? -1 : write.maybe(0.85, () => write.rate()),
        effective_date: write.maybe(0.7, () => random.pick(['2024-01-01', '2024-02-15', '2024-04-01', '2023-06-01'])),
      }),
    );
  }
  return write.record({
    [random.chance(0.5) ? 'role_id' : 'id']: write.id(id),
    name: `Role ${id}`,
    default_hourly_rate: write.maybe(0.6, () => write.rate()),
    cost_rate_history: random.chance(0.9) ? history : write.missing(),
  });
}

function randomContracts(write: Writer, roles: number[]): RecordValue[] {
  const { random } = write;
  const contracts: RecordValue[] = [];
  for (let index = random.int(1, 3); index > 0; index -= 1) {
    contracts.push(
      write.record({
        effective_date: write.maybe(0.75, () => random.pick(['2024-01-01', '2024-02-15', '2024-03-04', '2024-07-01'])),
        role_id: write.maybe(0.65, () => write.id(random.pick([...roles, UNKNOWN.role]))),
        role_name: 'as of then',
        cost_rate: write.maybe(0.6, () => write.rate()),
        cost_rate_from: write.maybe(0.4, () => random.pick(['person', 'role', 'contract'])),
      }),
    );
  }
  if (random.chance(0.06)) contracts.splice(random.int(0, contracts.length), 0, { cost_rate: '-5' });
  if (random.chance(0.06)) contracts.push({ cost_rate: 10, effective_date: '2024-02-30' });
  return contracts;
}

function randomPerson(write: Writer, id: number, ids: Ids): RawRecord {
  const { random } = write;
  const history: RawRecord = {};
  for (const date of random.shuffled(random.some(['2023-01-01', '2024-02-01', '2024-03-15', '2024-05-01'], 1, 3))) {
    history[date] = randomWeek(write);
  }
  const start = random.chance(0.35) ? randomDay(random, '2023-12-01', '2024-03-31') : null;
  const end = random.chance(0.35) ? randomDay(random, start ?? FIRST, '2024-07-31') : null;
  const departmentId = random.chance(0.75) ? random.pick(ids.departments) : null;
  const nested = departmentId !== null && random.chance(0.4);
  const kind = random.int(0, 3);
  const isByCall = random.chance(0.06);
  return write.record({
    people_id: write.id(id),
    name: random.chance(0.05) ? '' : `Person ${id}`,
    people_code: write.maybe(0.6, () => `P-${id}`),
    job_title: 'of something',
    department_id: nested ? undefined : departmentId === null ? write.missing() : write.id(departmentId),
    department: nested ? { department_id: write.id(departmentId), name: `Department ${departmentId}` } : undefined,
    role_id: write.maybe(0.7, () => write.id(random.pick([...ids.roles, ...ids.roles, UNKNOWN.role]))),
    region_id: write.maybe(0.6, () => write.id(random.pick(REGIONS))),
    work_days_hours: isByCall ? NO_WEEK : write.maybe(0.5, () => randomWeek(write)),
    work_days_hours_history: isByCall || random.chance(0.6) ? write.missing() : history,
    contractor: write.maybeBoolean(0.5),
    people_type_id: write.maybe(0.5, () => random.int(1, 4)),
    tags: randomTags(write),
    start_date: start ?? write.missing(),
    end_date: end ?? write.missing(),
    active: write.maybe(0.6, () => write.boolean(random.chance(0.7))),
    default_hourly_rate: write.maybe(0.5, () => write.rate()),
    cost_rate: write.maybe(kind === 1 ? 0.9 : 0.3, () => write.rate()),
    effective_date: write.maybe(0.5, () => random.pick(['2024-01-01', '2024-03-10', '2024-08-01'])),
    contracts: kind >= 2 ? randomContracts(write, ids.roles) : random.chance(0.5) ? [] : write.missing(),
  });
}

function randomTags(write: Writer): RecordValue | undefined {
  const { random } = write;
  if (random.chance(0.35)) return random.chance(0.5) ? [] : write.missing();
  return random.some(TAGS, 1, 3).map((tag): RecordValue => (random.chance(0.5) ? tag : { name: tag }));
}

function randomTeam(write: Writer, ids: Ids, phases: number[] | null): RecordValue | undefined {
  const { random } = write;
  if (random.chance(0.25)) return random.chance(0.5) ? [] : write.missing();
  const team: RecordValue[] = [];
  for (let index = random.int(1, 4); index > 0; index -= 1) {
    team.push(
      write.record({
        people_id: random.chance(0.04) ? null : write.id(random.pick([...ids.people, UNKNOWN.person])),
        role_id: write.maybe(0.5, () => write.id(random.pick([...ids.roles, UNKNOWN.role]))),
        hourly_rate: random.chance(0.04) ? 'much' : write.maybe(0.6, () => write.rate()),
        phase_id: phases === null ? undefined : write.phase(random.chance(0.5) ? random.pick([0, ...phases]) : 0),
      }),
    );
  }
  return team;
}

function randomStatus(write: Writer, odds: number[]): RecordValue {
  const status = write.random.pick(odds);
  return write.random.chance(0.2) ? String(status) : status;
}

/** Returns a word in one of the spellings that are read alike, seldom an unknown one. */
function randomWord(write: Writer, words: readonly string[]): RecordValue {
  const { random } = write;
  if (random.chance(0.01)) return random.pick<RecordValue>(['on account', 7]);
  const word = random.pick(words);
  return random.pick([
    word,
    word,
    word,
    ` ${word}`,
    `${word.toUpperCase()}  `,
    `${word.charAt(0).toUpperCase()}${word.slice(1)} `,
  ]);
}

/** Returns the fields of a contract (K1 to K3). */
function randomContract(write: Writer): Draft {
  const { random } = write;
  return {
    contract: write.maybe(0.5, () =>
      randomWord(write, ['time', 'capped', 'capped', 'fixed', 'fixed', 'fixed', 'fixed', 'internal']),
    ),
    recognise: write.maybe(0.7, () => randomWord(write, ['progress', 'evenly', 'evenly', 'done', 'milestones'])),
    fee_expenses: write.maybe(0.5, () => randomWord(write, ['inside', 'on_top'])),
    completed_on: write.maybe(0.4, () => randomDay(random, '2023-12-15', '2024-07-31')),
  };
}

/** Mostly firm, so that most lines count; every other status often enough. */
const FIRM_STATUSES = [0, 1, 2, 2, 2, 2, 2, 3, 3, 4];
const FIRMER_STATUSES = [0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 4];

function randomExpense(write: Writer, id: number, projectId: number): Draft {
  const { random } = write;
  return {
    [random.chance(0.5) ? 'project_expense_id' : 'id']: write.id(id),
    project_id: write.id(projectId),
    name: 'Train',
    date: randomDay(random),
    cost: write.decimal(`${random.chance(0.2) ? '-' : ''}${random.pick(AMOUNTS)}`),
    billable: write.maybe(0.75, () => write.boolean(random.chance(0.75))),
    markup: write.maybe(0.6, () => write.decimal(random.pick(['10', '7.5', '0', '33.3333', '12.345']))),
    markup_type: write.maybe(0.7, () => random.int(0, 1)),
  };
}

function randomProject(write: Writer, id: number, ids: Ids, expenses: RecordValue[]): RawRecord {
  const { random } = write;
  const phases = ids.phases.filter((phase) => phase.projectId === id || random.chance(0.1)).map((phase) => phase.id);
  return write.record({
    project_id: write.id(id),
    name: random.chance(0.05) ? '' : `Project ${id}`,
    project_code: write.maybe(0.6, () => `C-${id}`),
    client_id: write.maybe(0.7, () => write.id(random.pick([...ids.clients, 992]))),
    tags: randomTags(write),
    budget_type: write.maybe(0.85, () => random.pick([0, 1, 2, 2, 2, 3])),
    budget_total: write.maybe(0.75, () => write.decimal(random.pick(['100', '5000.5', '0', '33.3333', '1200.00005']))),
    budget_priority: write.maybe(0.85, () => random.int(0, 2)),
    default_hourly_rate: write.maybe(0.35, () => write.rate()),
    non_billable: write.maybe(0.5, () => write.boolean(random.chance(0.2))),
    tentative: write.maybe(0.5, () => write.boolean(random.chance(0.3))),
    status: write.maybe(0.7, () => randomStatus(write, FIRMER_STATUSES)),
    active: write.maybe(0.6, () => write.boolean(random.chance(0.7))),
    project_manager: write.maybe(0.6, () => write.id(random.pick([51, 52]))),
    start_date: write.maybe(0.8, () => randomDay(random, '2023-11-01', '2024-02-29')),
    end_date: write.maybe(0.65, () => randomDay(random, '2024-03-01', '2024-12-31')),
    ...randomContract(write),
    project_team: randomTeam(write, ids, [...phases, 9000 + id]),
    expenses: expenses.length > 0 ? expenses : write.missing(),
  });
}

function randomPhase(write: Writer, id: number, projectId: number, ids: Ids): RawRecord {
  const { random } = write;
  return write.record({
    phase_id: write.id(id),
    project_id: write.id(projectId),
    name: `Phase ${id}`,
    start_date: write.maybe(0.5, () => randomDay(random, '2023-12-01', '2024-04-10')),
    end_date: write.maybe(0.5, () => randomDay(random, '2024-04-10', '2024-08-31')),
    status: write.maybe(0.5, () => randomStatus(write, FIRMER_STATUSES)),
    non_billable: write.maybe(0.5, () => write.boolean(random.chance(0.2))),
    default_hourly_rate: write.maybe(0.3, () => write.rate()),
    budget_total: write.maybe(0.6, () => write.decimal(random.pick(['50', '777.77', '0', '20.12345']))),
    ...randomContract(write),
    phase_team: randomTeam(write, ids, null),
  });
}

/** Returns a milestone of a project, of a phase or of both, often on the day of others, with an amount or without. */
function randomMilestone(write: Writer, id: number, ids: Ids): RawRecord {
  const { random } = write;
  const projectId = random.chance(0.04) ? UNKNOWN.project : random.pick(ids.projects);
  const own = ids.phases.filter((phase) => phase.projectId === projectId || random.chance(0.05));
  const phaseId = random.chance(0.6) ? random.pick([0, ...own.map((phase) => phase.id)]) : 0;
  const day = random.chance(0.5) ? random.pick(AWKWARD_STARTS) : randomDay(random, '2023-12-01', '2024-08-31');
  return write.record({
    milestone_id: write.id(id),
    project_id: phaseId !== 0 && random.chance(0.3) ? write.missing() : write.id(projectId),
    phase_id: write.phase(phaseId),
    name: `Milestone ${id}`,
    date: random.chance(0.04) ? write.missing() : random.chance(0.2) ? `${day} 17:30:00` : day,
    amount: write.maybe(0.85, () =>
      write.decimal(random.pick(['10', '25.555', '33.3333', '0.005', '0', '400', '2000'])),
    ),
  });
}

/** Returns an entry of progress of a project, phase or project task, often on the day of others. */
function randomProgress(write: Writer, id: number, ids: Ids): RawRecord {
  const { random } = write;
  const projectId = random.chance(0.04) ? UNKNOWN.project : random.pick(ids.projects);
  const phases = ids.phases.filter((phase) => phase.projectId === projectId || random.chance(0.05));
  const tasks = ids.projectTasks.filter((task) => task.projectId === projectId);
  const level = random.pick(['project', 'project', 'phase', 'task']);
  const isLeft = random.chance(0.3);
  return write.record({
    progress_id: write.id(id),
    project_id: write.id(projectId),
    phase_id: write.phase(level === 'phase' && phases.length > 0 ? random.pick(phases).id : 0),
    task_meta_id: level === 'task' && tasks.length > 0 ? write.id(random.pick(tasks).id) : write.missing(),
    date: random.chance(0.4) ? random.pick(AWKWARD_STARTS) : randomDay(random, '2023-12-01', '2024-08-31'),
    percent: isLeft
      ? write.missing()
      : write.decimal(random.pick(['0', '10', '12.5', '33.3333', '40', '66.66667', '99.9999', '100', '100'])),
    remaining_hours: isLeft ? write.decimal(random.pick(['0', '4', '7.5', '33.333333', '120'])) : write.missing(),
  });
}

/** Returns the place of an allocation or entry: mostly a phase and a task of its project, sometimes any (D9). */
function randomPlace(random: Prng, ids: Ids): { projectId: number; phaseId: number; taskMetaId: number | null } {
  const projectId = random.chance(0.04) ? UNKNOWN.project : random.pick(ids.projects);
  const phases = ids.phases.filter((phase) => phase.projectId === projectId).map((phase) => phase.id);
  const anyPhase = [UNKNOWN.phase, 9000 + projectId, ...ids.phases.map((phase) => phase.id)];
  const phaseId = random.chance(0.1) ? random.pick(anyPhase) : random.chance(0.6) ? random.pick([0, ...phases]) : 0;
  const tasks = ids.projectTasks.filter((task) => task.projectId === projectId);
  const fitting = tasks.filter((task) => task.phaseId === phaseId || random.chance(0.3)).map((task) => task.id);
  const anyTask = [UNKNOWN.task, ...ids.projectTasks.map((task) => task.id)];
  const taskMetaId = random.chance(0.4) ? null : random.chance(0.1) ? random.pick(anyTask) : (fitting[0] ?? null);
  return { projectId, phaseId, taskMetaId };
}

/** Returns one person or several, in either field, sometimes repeated, sometimes unknown. */
function randomPeople(write: Writer, ids: Ids): Draft {
  const { random } = write;
  const one = (): number => (random.chance(0.05) ? UNKNOWN.person : random.pick(ids.people));
  if (random.chance(0.5)) {
    return { people_id: write.id(one()), people_ids: random.chance(0.3) ? [] : write.missing() };
  }
  const several = numbered(0, random.int(1, 3)).map(() => write.id(one()));
  return { people_ids: several, people_id: random.chance(0.5) ? write.id(one()) : write.missing() };
}

interface Repeat {
  startDate: string;
  endDate: string;
  repeatState: number;
  repeatEnd: string | null;
}

/** The fewest days between two occurrences, by repeat_state; rarer repeats are shorter here. */
const LEAST_STEP_DAYS: Readonly<Record<number, number>> = { 1: 7, 2: 28, 3: 14, 4: 21, 5: 42, 6: 56 };

/** Returns a repeat: sometimes as long as its step (D3), endless, or ended before its first step. */
function randomRepeat(random: Prng, repeating: number): Repeat {
  const repeatState = random.chance(repeating) ? random.int(0, 9) : 0;
  const start = randomStart(random);
  const weekend = random.chance(0.15);
  const startDate = weekend ? nextSaturday(start) : start;
  const longer = repeatState >= 1 && repeatState <= 3 ? 0.5 : 0.2;
  const step = LEAST_STEP_DAYS[repeatState] ?? 8;
  const length = weekend
    ? random.int(0, 1)
    : random.chance(longer)
      ? random.int(step - 1, step + 10)
      : random.int(0, 5);
  const long = repeatState >= 5 ? 700 : 200;
  const repeatEnd = random.chance(repeatState === 0 ? 0.2 : 0.8) ? addDays(startDate, random.int(0, long)) : null;
  return { startDate, endDate: addDays(startDate, length), repeatState, repeatEnd };
}

function randomAllocation(write: Writer, id: number, ids: Ids): RawRecord {
  const { random } = write;
  const place = randomPlace(random, ids);
  const repeat = randomRepeat(random, 0.45);
  return write.record({
    task_id: write.id(id),
    project_id: write.id(place.projectId),
    phase_id: write.phase(place.phaseId),
    ...randomPeople(write, ids),
    start_date: repeat.startDate,
    end_date: repeat.endDate,
    hours: write.decimal(random.chance(0.06) ? '0' : random.chance(0.03) ? '0.00004' : random.pick(HOURS)),
    name: random.chance(0.5) ? 'Work' : '',
    repeat_state: repeat.repeatState === 0 && random.chance(0.5) ? write.missing() : repeat.repeatState,
    repeat_end_date: repeat.repeatEnd ?? write.missing(),
    status: write.maybe(0.8, () => randomStatus(write, FIRM_STATUSES)),
    billable: write.maybe(0.6, () => write.boolean(random.chance(0.6))),
    task_meta_id: place.taskMetaId === null ? write.missing() : write.id(place.taskMetaId),
  });
}

function randomTimeOff(write: Writer, id: number, ids: Ids): RawRecord {
  const { random } = write;
  const repeat = randomRepeat(random, 0.5);
  const kind = random.int(0, 4);
  const hours = write.decimal(random.pick(['4', '2', '6', '8', '0', '0.3333', '24']));
  return write.record({
    timeoff_id: write.id(id),
    ...randomPeople(write, ids),
    timeoff_type_id: 1,
    timeoff_type_name: 'Holiday',
    start_date: repeat.startDate,
    end_date: repeat.endDate,
    hours: kind === 0 || kind === 4 ? write.missing() : hours,
    full_day: kind <= 1 ? write.missing() : write.boolean(kind !== 3 && random.chance(0.5)),
    repeat_state: repeat.repeatState === 0 && random.chance(0.5) ? write.missing() : repeat.repeatState,
    [random.chance(0.5) ? 'repeat_end' : 'repeat_end_date']: repeat.repeatEnd ?? write.missing(),
    status: write.maybe(0.6, () => random.pick([1, 2, 2, 2, 3])),
  });
}

const REGIONS = [71, 72];

/** Returns a day, a range, single days, or both; for everybody or for a region in any spelling. */
function randomHoliday(write: Writer, id: number): RawRecord {
  const { random } = write;
  const form = random.int(0, 2);
  const date = randomDay(random);
  const region = random.pick([...REGIONS, 73]);
  const spelling = random.int(0, 5);
  return write.record({
    [random.chance(0.5) ? 'holiday_id' : 'id']: write.id(id),
    name: `Holiday ${id}`,
    date: form === 0 ? write.missing() : date,
    end_date: form === 0 ? undefined : write.maybe(0.4, () => addDays(date, random.int(0, 9))),
    dates:
      form === 1 ? undefined : [randomDay(random), ...(random.chance(0.3) ? ['2024-02-30'] : []), randomDay(random)],
    region_id: spelling === 0 ? write.id(region) : write.missing(),
    region:
      spelling === 1
        ? write.id(region)
        : spelling === 2
          ? { id: write.id(region), name: 'North' }
          : spelling === 3
            ? { region_id: write.id(region) }
            : write.missing(),
  });
}

function randomLoggedTime(write: Writer, id: string, ids: Ids): RawRecord {
  const { random } = write;
  const place = randomPlace(random, ids);
  const withProject = random.chance(0.7);
  const allocation = random.chance(0.1) ? UNKNOWN.allocation : random.pick([...ids.allocations, UNKNOWN.allocation]);
  const task = random.chance(0.08)
    ? UNKNOWN.task
    : random.pick([...ids.projectTasks.map(({ id: of }) => of), UNKNOWN.task]);
  return write.record({
    logged_time_id: id,
    people_id: write.id(random.chance(0.05) ? UNKNOWN.person : random.pick(ids.people)),
    date: randomDay(random),
    hours: write.decimal(random.chance(0.06) ? '0' : random.chance(0.03) ? '0.00004' : random.pick(HOURS)),
    billable: write.maybe(0.6, () => write.boolean(random.chance(0.6))),
    locked: write.maybeBoolean(0.5),
    project_id: withProject ? write.id(place.projectId) : random.chance(0.4) ? 0 : write.missing(),
    phase_id: write.phase(place.phaseId),
    task_id: write.maybe(0.5, () => write.id(allocation)),
    task_meta_id: withProject
      ? place.taskMetaId === null
        ? write.missing()
        : write.id(place.taskMetaId)
      : write.maybe(0.5, () => write.id(task)),
    notes: random.chance(0.3) ? '=1+1' : '',
  });
}

/** Adds invalid records (1.3), each with an unused id so that it replaces no other record. */
function addBadRecords(write: Writer, dataset: Required<Dataset>, ids: Ids): void {
  const { random } = write;
  const task: Draft = {
    task_id: 8001,
    project_id: random.pick(ids.projects),
    people_id: random.pick(ids.people),
    start_date: '2024-03-04',
    end_date: '2024-03-06',
    hours: 8,
  };
  const logged: Draft = { logged_time_id: 'bad', people_id: random.pick(ids.people), date: '2024-03-04', hours: 8 };
  const off: Draft = { ...task, task_id: undefined, timeoff_id: 8001, hours: 8 };
  const expense: Draft = { id: 8001, project_id: random.pick(ids.projects), date: '2024-03-04', cost: 5 };
  const bad: [RawRecord[], Draft][] = [
    [dataset.tasks, { ...task, end_date: '2024-03-03' }],
    [dataset.tasks, { ...task, hours: 24.5 }],
    [dataset.tasks, { ...task, hours: '-1' }],
    [dataset.tasks, { ...task, hours: 'eight' }],
    [dataset.tasks, { ...task, hours: undefined }],
    [dataset.tasks, { ...task, start_date: '2024-02-30' }],
    [dataset.tasks, { ...task, project_id: '' }],
    [dataset.tasks, { ...task, people_id: null }],
    [dataset.tasks, { ...task, status: 5 }],
    [dataset.tasks, { ...task, repeat_state: 10 }],
    [dataset.tasks, { ...task, repeat_state: 1, repeat_end_date: '2024-03-03' }],
    [dataset.tasks, { ...task, task_id: null }],
    [dataset.logged_time, { ...logged, hours: 25 }],
    [dataset.logged_time, { ...logged, date: '2024-13-01' }],
    [dataset.logged_time, { ...logged, people_id: undefined }],
    [dataset.logged_time, { ...logged, billable: 'perhaps' }],
    [dataset.timeoffs, { ...off, start_date: null }],
    [dataset.timeoffs, { ...off, status: 4 }],
    [dataset.timeoffs, { ...off, repeat_state: 1, repeat_end: '2024-03-03' }],
    [dataset.holidays, { holiday_id: 8001, name: 'of no day', dates: [] }],
    [dataset.holidays, { holiday_id: 8001, date: '2024-03-04', end_date: '2024-03-03' }],
    [dataset.holidays, { holiday_id: 8001, date: '2024-03-04', region: 'North' }],
    [dataset.project_expenses, { ...expense, cost: 'five' }],
    [dataset.project_expenses, { ...expense, date: '' }],
    [dataset.project_expenses, { ...expense, markup_type: 2 }],
    [dataset.phases, { phase_id: 8001, name: 'of no project' }],
    [dataset.phases, { phase_id: 8001, project_id: random.pick(ids.projects), contract: 'retained' }],
    [dataset.projects, { project_id: 8001, name: 'Sometimes', recognise: 'sometimes' }],
    [dataset.milestones, { milestone_id: 8001, project_id: random.pick(ids.projects), date: '2024-03-04', amount: -1 }],
    [dataset.project_tasks, { task_meta_id: 8001, task_name: 'of no project' }],
    [dataset.progress, { progress_id: 8001, project_id: random.pick(ids.projects), date: '2024-03-04', percent: 101 }],
    [dataset.progress, { progress_id: 8001, project_id: random.pick(ids.projects), date: '2024-03-04' }],
    [dataset.people, { people_id: 8001, name: 'Seven days', work_days_hours: [8, 8, 8, 8, 8, 8] }],
    [dataset.people, { people_id: 8002, start_date: '2024-03-04', end_date: '2024-03-03' }],
    [dataset.projects, { project_id: 8001, name: 'Fourth budget', budget_type: 4 }],
  ];
  const chosen = random.some(bad, 1, 3);
  for (const [records, draft] of chosen) records.splice(random.int(0, records.length), 0, write.record(draft));
}

/** Adds a different record with the same id earlier in the file: the last one counts (1.3). */
function addDuplicates(write: Writer, dataset: Required<Dataset>): void {
  const { random } = write;
  const earlier = (records: RawRecord[], change: RawRecord): void => {
    if (records.length === 0) return;
    const index = random.int(0, records.length - 1);
    const copy = { ...records[index], ...change };
    delete copy.expenses;
    records.splice(random.int(0, index), 0, copy);
  };
  if (random.chance(0.4)) earlier(dataset.tasks, { hours: 3, status: 2 });
  if (random.chance(0.4)) earlier(dataset.logged_time, { hours: '3.5' });
  if (random.chance(0.2)) earlier(dataset.people, { default_hourly_rate: 11, contracts: null, active: 1 });
  if (random.chance(0.2)) earlier(dataset.projects, { non_billable: 1, name: 'Stale', project_team: [] });
  if (random.chance(0.2)) earlier(dataset.phases, { non_billable: 1, name: 'Stale', phase_team: [] });
  if (random.chance(0.2)) earlier(dataset.milestones, { amount: 5, date: '2024-03-04' });
  if (random.chance(0.2)) earlier(dataset.progress, { percent: 5, remaining_hours: null, date: '2024-03-04' });
  if (random.chance(0.2)) earlier(dataset.timeoffs, { hours: 1, full_day: 0 });
  if (random.chance(0.2)) earlier(dataset.project_tasks, { billable: 0, task_name: 'Stale' });
  if (random.chance(0.2)) earlier(dataset.project_expenses, { cost: 77 });
  if (random.chance(0.2)) earlier(dataset.roles, { name: 'Stale', cost_rate_history: [{ rate: 7 }] });
}

/** Days on which prices change. */
const PRICE_DAYS = ['2024-01-01', '2024-02-10', '2024-02-29', '2024-03-04', '2024-03-15', '2024-06-01'];

/** Gives some records bill rates with a day, and rate cards (P1, P2), bad entries among them. */
function addPrices(
  write: Writer,
  { roles, people, projects, phases, clients, rate_cards }: Required<Dataset>,
  ids: Ids,
): void {
  const { random } = write;
  const day = () => random.pick(PRICE_DAYS);
  const times = <T>(most: number, make: () => T): T[] => Array.from({ length: random.int(0, most) }, make);
  const rate = () => (random.chance(0.05) ? '-3' : (write.maybe(0.8, () => write.rate()) ?? null));
  const dated = () => times(3, () => ({ rate: rate(), effective_date: random.chance(0.05) ? '2024-02-30' : day() }));
  for (const record of [...roles, ...people, ...projects, ...phases]) {
    if (random.chance(0.4)) record.bill_rate_history = dated();
    for (const team of [record.project_team, record.phase_team]) {
      for (const item of Array.isArray(team) ? team : []) {
        if (typeof item === 'object' && item !== null && !Array.isArray(item) && random.chance(0.4))
          item.rates = dated();
      }
    }
  }
  const cards = numbered(901, random.int(0, 3));
  for (const id of cards) {
    rate_cards.push({
      rate_card_id: write.id(id),
      name: `Card ${id}`,
      rates: times(5, () => ({
        role_id: write.id(random.pick(ids.roles)),
        rate: rate(),
        effective_date: write.maybe(0.7, day) ?? null,
      })),
    });
  }
  for (const record of [...clients, ...projects]) {
    if (cards.length === 0 || random.chance(0.5)) continue;
    record.rate_cards = times(3, () => ({
      rate_card_id: random.chance(0.2) ? null : write.id(random.pick([...cards, 999])),
      effective_date: write.maybe(0.7, day) ?? null,
    }));
  }
}

/** First days of retainers, of whom some are the last of a month, and the days of the second one of a project. */
const RETAINER_DAYS = ['2023-12-31', '2024-01-01', '2024-01-17', '2024-01-31', '2024-02-29'];
const RETAINER_ENDS = ['2024-03-10', '2024-03-31', '2024-04-15'];

/** Gives some projects and phases retainers, of all words; a few have a second one after the first (T1). */
function addRetainers(write: Writer, retainers: RawRecord[], { projects, phases }: Ids): void {
  const { random } = write;
  const places = [...projects.map((id) => ({ projectId: id, id: null })), ...phases];
  const amount = () => (random.chance(0.1) ? '0' : String(random.int(1, 60)));
  for (const { projectId, id } of places) {
    if (!random.chance(0.25)) continue;
    const isFirst = random.chance(0.3);
    for (const start of isFirst ? ['2024-01-17', '2024-04-16'] : [random.pick(RETAINER_DAYS)]) {
      const unit = random.pick(['hours', 'hours', 'fee']);
      const rollover = random.pick([null, 'none', 'surplus', 'deficit', 'both']);
      const entry = (from: string | null): RecordValue => ({
        amount: unit === 'fee' ? `${amount()}00.50` : `${amount()}.25`,
        price: unit === 'fee' || random.chance(0.3) ? null : `${amount()}00.10`,
        effective_date: from,
      });
      retainers.push(
        write.record({
          retainer_id: write.id(951 + retainers.length),
          project_id: write.id(projectId),
          phase_id: id === null ? null : write.id(id),
          start_date: start,
          end_date:
            isFirst && start < '2024-04'
              ? '2024-04-15'
              : random.chance(0.5)
                ? null
                : random.pick(isFirst ? ['2024-06-30'] : RETAINER_ENDS),
          unit: unit === 'hours' && random.chance(0.5) ? null : unit,
          every: random.pick([null, 'month', 'week', 'quarter', 'year']),
          counts: random.pick([null, 'billable', 'all']),
          rollover,
          expires_after:
            (rollover === 'surplus' || rollover === 'both') && random.chance(0.5) ? random.int(1, 2) : null,
          first: random.pick([null, 'whole', 'by_days']),
          recognise: random.pick([null, 'evenly', 'as_used']),
          overage: random.pick([null, 'free', 'billed']),
          amounts: [entry(null), ...(random.chance(0.4) ? [entry(random.pick(PRICE_DAYS))] : [])],
        }),
      );
    }
  }
}

/** Returns a dataset whose source doesn't say who has set the days of some projects, most of which end with their last line. */
function withUnknownDays(dataset: Dataset, seed: number): Dataset {
  const random = new Prng(seed ^ 0x7ead);
  const last = new Map<number, string>();
  for (const { project_id, date } of modelOf(dataset).lines) {
    if (date > (last.get(project_id) ?? '')) last.set(project_id, date);
  }
  const projects = (dataset.projects ?? []).map((project) => {
    if (random.chance(0.5)) return project;
    const end = last.get(Number(project.project_id));
    return { ...project, dates_from: 'unknown', ...(end && random.chance(0.8) && { end_date: end }) };
  });
  return { ...dataset, projects };
}

export function randomDataset(seed: number): Dataset {
  return withUnknownDays(randomRecords(seed), seed);
}

function randomRecords(seed: number): Dataset {
  const random = new Prng(seed);
  const write = new Writer(random);
  const projects = numbered(201, random.int(1, 5));
  let phaseId = 300;
  let taskMetaId = 400;
  const phases = projects.flatMap((projectId) =>
    numbered(0, random.int(0, 3)).map(() => {
      phaseId += 1;
      return { id: phaseId, projectId };
    }),
  );
  const projectTasks = projects.flatMap((projectId) =>
    numbered(0, random.int(0, 3)).map(() => {
      taskMetaId += 1;
      const own = phases
        .filter((phase) => phase.projectId === projectId || random.chance(0.05))
        .map((phase) => phase.id);
      return { id: taskMetaId, projectId, phaseId: random.chance(0.5) ? random.pick([0, ...own]) : 0 };
    }),
  );
  const ids: Ids = {
    departments: numbered(21, random.int(1, 3)),
    clients: numbered(31, random.int(1, 3)),
    roles: numbered(11, random.int(1, 4)),
    people: numbered(101, random.int(1, 6)),
    projects,
    phases,
    projectTasks,
    allocations: numbered(1001, random.int(0, 15)),
  };
  let expenseId = 700;
  const nestedExpenses = new Map<number, RecordValue[]>();
  const expenses: RawRecord[] = [];
  for (let index = random.int(0, 6); index > 0; index -= 1) {
    expenseId += 1;
    const projectId = random.pick(random.chance(0.05) ? [UNKNOWN.project] : projects);
    const draft = randomExpense(write, expenseId, projectId);
    const nested = projectId !== UNKNOWN.project && random.chance(0.5);
    if (nested) {
      const item = write.record(random.chance(0.5) ? draft : { ...draft, project_id: undefined });
      nestedExpenses.set(projectId, [...(nestedExpenses.get(projectId) ?? []), item]);
    }
    if (!nested || random.chance(0.3)) {
      expenses.push(write.record(nested && random.chance(0.5) ? { ...draft, cost: 12.345 } : draft));
    }
  }
  const named = (list: number[], field: string, name: string): RawRecord[] =>
    list.map((id) => write.record({ [field]: write.id(id), name: `${name} ${id}` }));
  const dataset: Required<Dataset> = {
    settings: randomSettings(write),
    departments: named(ids.departments, 'department_id', 'Department'),
    clients: named(ids.clients, 'client_id', 'Client'),
    accounts: [{ account_id: 51, name: 'Manager', email: 'm@example.com', account_type: 1, active: 1 }],
    roles: ids.roles.map((id) => randomRole(write, id)),
    rate_cards: [],
    people: ids.people.map((id) => randomPerson(write, id, ids)),
    project_stages: [],
    projects: projects.map((id) => randomProject(write, id, ids, nestedExpenses.get(id) ?? [])),
    phases: phases.map((phase) => randomPhase(write, phase.id, phase.projectId, ids)),
    milestones: numbered(501, random.int(0, 10)).map((id) => randomMilestone(write, id, ids)),
    project_tasks: projectTasks.map((task) =>
      write.record({
        task_meta_id: write.id(task.id),
        project_id: write.id(task.projectId),
        phase_id: write.phase(task.phaseId),
        task_name: `Task ${task.id}`,
        billable: write.maybe(0.6, () => write.boolean(random.chance(0.6))),
        budget: write.maybe(0.6, () => write.decimal(random.pick(['40', '333.3333', '0', '99.99995']))),
      }),
    ),
    progress: numbered(901, random.int(0, 12)).map((id) => randomProgress(write, id, ids)),
    retainers: [],
    tasks: ids.allocations.map((id) => randomAllocation(write, id, ids)),
    holidays: numbered(801, random.int(0, 4)).map((id) => randomHoliday(write, id)),
    timeoffs: numbered(601, random.int(0, 8)).map((id) => randomTimeOff(write, id, ids)),
    logged_time: numbered(1, random.int(0, 40)).map((id) => {
      return randomLoggedTime(write, random.chance(0.5) ? `L${id}` : `5f${id}e-aa`, ids);
    }),
    project_expenses: expenses,
  };
  if (random.chance(0.6)) addPrices(write, dataset, ids);
  if (random.chance(0.4)) addRetainers(write, dataset.retainers, ids);
  if (random.chance(0.5)) addDuplicates(write, dataset);
  if (random.chance(0.4)) addBadRecords(write, dataset, ids);
  if (random.chance(0.1)) {
    const { settings: _, ...rest } = dataset;
    return rest;
  }
  return dataset;
}

// Queries

export interface RandomQuery {
  name: string;
  parameters: Parameters;
}

const INTERVALS = ['none', 'day', 'week', 'month', 'quarter', 'year'];
const PIVOT_MEASURES = [...HOURS_MEASURES, ...AMOUNT_MEASURES, ...EXPENSE_MEASURES, ...REVENUE_MEASURES];

/** Returns filter values from this dataset and from unknown records. */
function filterValues(dataset: Dataset, filter: Filter): string[] {
  const { clean, lines } = modelOf(dataset);
  const keys = (ids: Iterable<number | null>): string[] => {
    const known = [...ids].filter((id) => id !== null && id !== 0);
    return [...new Set(known.map(String))];
  };
  const projects = [...clean.projects.values()];
  const people = [...clean.people.values()];
  switch (filter) {
    case 'project_id':
      return keys([...clean.projects.keys(), ...lines.map((line) => line.project_id)]);
    case 'phase_id':
      return keys([...clean.phases.keys(), ...lines.map((line) => line.phase_id)]);
    case 'people_id':
      return keys([...clean.people.keys(), ...lines.map((line) => line.people_id)]);
    case 'client_id':
      return keys(projects.map((project) => project.clientId));
    case 'department_id':
      return keys(people.map((person) => person.departmentId));
    case 'role_id':
      return keys([...people.map((person) => person.roleId), ...lines.map((line) => line.role_id)]);
    case 'person_role_id':
      return keys(people.map((person) => person.roleId));
    case 'task_meta_id':
      return keys([...clean.projectTasks.keys(), ...lines.map((line) => line.task_meta_id)]);
    case 'people_type_id':
      return ['1', '2', '3', '4'];
    case 'project_status':
      return ['draft', 'tentative', 'confirmed', 'completed', 'canceled'];
    case 'project_manager':
      return keys(projects.map((project) => project.manager));
    case 'tag':
      return [...new Set(projects.flatMap((project) => project.tags))];
    case 'people_tag':
      return [...new Set(people.flatMap((person) => person.tags))];
    default:
      return ['1', '0'];
  }
}

/** Returns one to three values, or `none` except for the flags, which are never missing. */
function randomFilter(random: Prng, dataset: Dataset, filter: Filter): string {
  const values = filterValues(dataset, filter);
  const chosen = random.some(random.shuffled(values), 1, 3);
  if (!FLAGS.includes(filter) && (chosen.length === 0 || random.chance(0.25))) chosen.push('none');
  return chosen.join(',');
}

function randomWindow(random: Prng, interval: string): { start: string; end: string } {
  const kind = random.int(0, 9);
  if (interval === 'day' || kind <= 1) {
    const start = randomDay(random, '2023-12-20', '2024-06-30');
    return { start, end: addDays(start, random.int(0, 40)) };
  }
  if (kind === 2) {
    const start = randomDay(random, '2024-07-01', '2026-06-30');
    return { start, end: addDays(start, random.int(10, 150)) };
  }
  if (kind === 3) return { start: '2023-12-01', end: '2026-12-31' };
  if (kind === 4) return { start: FIRST, end: LAST };
  const start = randomDay(random, '2023-12-01', '2024-05-31');
  return { start, end: addDays(start, random.int(20, 200)) };
}

function randomCutoff(random: Prng, window: { start: string; end: string }): string {
  const kind = random.int(0, 5);
  if (kind === 0) return addDays(window.start, -random.int(1, 60));
  if (kind === 1) return addDays(window.end, random.int(0, 60));
  return randomDay(random, window.start, window.end);
}

/** Returns a pivot of what contracts earn: any rows, cutoffs and statuses, half of them of the whole company. */
export function randomContractQuery(seed: number, dataset: Dataset): RandomQuery {
  for (let next = seed; ; next += 0x1_0000) {
    const { name, parameters } = randomQuery(next, dataset);
    if (name !== 'pivot') continue;
    const isWhole = next % 2 === 0;
    const filters = isWhole ? Object.fromEntries(FILTERS.map((filter) => [filter, ''])) : {};
    const sent = {
      ...parameters,
      ...filters,
      measures: [...AGREED_MEASURES, ...REVENUE_MEASURES, 'missing_revenue'].join(','),
    };
    return { name, parameters: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== '')) };
  }
}

export function randomQuery(seed: number, dataset: Dataset): RandomQuery {
  const random = new Prng(seed ^ 0x5bd1e995);
  const name = random.pick(['projects', 'phases', 'people', 'timesheets', 'tasks', 'pivot', 'pivot']);
  const interval = random.chance(0.45) ? random.pick(INTERVALS) : 'none';
  const isOfPeople = name === 'people' || name === 'timesheets';
  const groupBy = name === 'pivot' ? random.some(random.shuffled(Object.keys(PIVOT_COLUMNS)), 1, 3) : [];
  if (name === 'pivot' && random.chance(0.25)) {
    const ofPeople = [
      'person',
      'person_role',
      'department',
      'people_type',
      'people_tag',
      'week',
      'month',
      'quarter',
      'year',
    ];
    groupBy.splice(0, 3, ...random.some(random.shuffled(ofPeople), 1, 2));
  }
  const window = randomWindow(random, groupBy.includes('day') ? 'day' : interval);
  const parameters: Parameters = {
    start_date: window.start,
    end_date: window.end,
    cutoff_date: randomCutoff(random, window),
  };
  if (interval !== 'none' || random.chance(0.1)) parameters.interval = interval;
  if (random.chance(0.5)) {
    const statuses = random.some(['draft', 'tentative', 'confirmed', 'completed'], 1, 4);
    parameters.status = random.shuffled(statuses).join(',');
  }
  // A pivot by both projects and people has no single `active`; in the people report, it is that of people.
  const filters = FILTERS.filter((filter) => filter !== (isOfPeople ? 'people_active' : name === 'pivot' && 'active'));
  const count = random.chance(0.4) ? 0 : random.chance(0.7) ? 1 : random.int(2, 3);
  for (const filter of random.some(random.shuffled(filters), count, count)) {
    parameters[filter] = randomFilter(random, dataset, filter);
  }
  if (name === 'pivot') {
    parameters.group_by = groupBy.join(',');
    const measures = random.some(random.shuffled(PIVOT_MEASURES), 1, 8);
    if (random.chance(0.6)) measures.push(...random.some(random.shuffled(NAMED_MEASURES), 1, 6));
    if (random.chance(0.6)) measures.push(...random.some(random.shuffled(EFFECT_MEASURES), 1, 8));
    if (random.chance(0.5)) measures.push(...random.some(CAPACITY_MEASURES, 1, 6));
    if (random.chance(0.6)) measures.push(...random.some(random.shuffled(AGREED_MEASURES), 1, 8));
    if (random.chance(0.5)) measures.push(...random.some(MISSING_MEASURES, 1, 4));
    if (random.chance(0.4)) measures.push(...random.some(TIMESHEET_MEASURES, 1, 4));
    parameters.measures = measures.join(',');
  } else if (!isOfPeople && random.chance(0.3)) {
    parameters.include_empty = '1';
  }
  if (name === 'projects' && random.chance(0.3)) parameters.expand = 'phases';
  return { name, parameters };
}
