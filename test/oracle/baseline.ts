import type { Clean } from './clean.ts';
import type { Dataset, RawRecord } from './dataset.ts';
import { type Model, modelOf } from './ledger.ts';
import { Prng } from './prng.ts';

/**
 * Returns the model of a report with a baseline: the lines of a state and the scheduled ones of the baseline, and what
 * they refer to, which the baseline has only if the state lacks it (B2).
 */
export function modelWithBaseline(now: Dataset, then: Dataset): Model {
  const [own, kept] = [modelOf(now), modelOf(then)];
  const planned = kept.lines.filter(({ kind }) => kind === 'scheduled').map((line) => ({ ...line, isBaseline: true }));
  const clean = mergeRecords(own.clean, kept.clean);
  return { ...own, own: own.clean, clean, kept: kept.clean, keptDays: kept.days, lines: [...own.lines, ...planned] };
}

function mergeRecords(own: Clean, kept: Clean): Clean {
  const merge = <Key, Value>(first: Map<Key, Value>, second: Map<Key, Value>) => new Map([...first, ...second]);
  return {
    ...own,
    departments: merge(kept.departments, own.departments),
    clients: merge(kept.clients, own.clients),
    accounts: merge(kept.accounts, own.accounts),
    roles: merge(kept.roles, own.roles),
    people: merge(kept.people, own.people),
    projects: merge(kept.projects, own.projects),
    phases: merge(kept.phases, own.phases),
    projectTasks: merge(kept.projectTasks, own.projectTasks),
  };
}

/** The fields that a write changes, each to the value of another record of its kind. */
const WRITTEN: Readonly<Partial<Record<keyof Dataset, readonly string[]>>> = {
  clients: ['name'],
  roles: ['default_hourly_rate', 'cost_rate'],
  people: ['cost_rate', 'default_hourly_rate', 'tags', 'active'],
  projects: [
    'client_id',
    'status',
    'default_hourly_rate',
    'tags',
    'project_manager',
    'budget_total',
    'contract',
    'recognise',
  ],
  phases: ['name', 'default_hourly_rate', 'contract', 'completed_on'],
  milestones: ['date', 'amount'],
  tasks: ['hours', 'status', 'people_id', 'people_ids', 'billable'],
  logged_time: ['hours', 'date'],
  project_expenses: ['cost', 'date'],
};

/** Changes records at random: some are written, some go. */
export function changeDataset(dataset: Dataset, seed: number): Dataset {
  const random = new Prng(seed ^ 0x1f123bb5);
  const changed = Object.entries(dataset).map(([resource, records]) => {
    const fields = WRITTEN[resource as keyof Dataset];
    if (!fields || !Array.isArray(records)) return [resource, records];
    const kept = (records as RawRecord[]).filter(() => random.chance(0.9));
    return [resource, kept.map((record) => (random.chance(0.3) ? writeRecord(record, kept, fields, random) : record))];
  });
  return Object.fromEntries(changed) as Dataset;
}

function writeRecord(record: RawRecord, all: readonly RawRecord[], fields: readonly string[], random: Prng): RawRecord {
  const [from, field] = [random.pick(all), random.pick(fields)];
  if (!(field in record) || !(field in from)) return record;
  return { ...record, [field]: from[field] ?? null };
}
