import { FIRST_DATE, spellDay } from '../../../base/calendar/index.ts';
import type { Labour } from '../../relation/line-kinds.ts';
import { BILL_LEVELS } from './line-evidence.ts';
import { type Evidence, fact, type LineStep, levels, step } from './line-steps.ts';

/** Describes the decisions of the rules about a line of work, in their order. */
export function workSteps(line: Evidence, hours: Labour, seesRates: boolean): LineStep[] {
  return [
    hours === 'plan' ? scheduledDay(line) : loggedDay(line),
    ...foreignParts(line, hours),
    statusStep(line, hours),
    billableStep(line, hours),
    roleStep(line),
    ...(seesRates ? [costRateStep(line)] : []),
    billRateStep(line),
    ...(seesRates ? [amountStep(line, 'cost')] : []),
    amountStep(line, 'fee'),
  ];
}

/** The words of a repeat state, by its number (D2). */
const REPEATS = [
  undefined,
  'every week',
  'every month',
  'every 2 weeks',
  'every 3 weeks',
  'every 6 weeks',
  'every 2 months',
  'every 3 months',
  'every 6 months',
  'every year',
];

/** Says why a day of an occurrence counts; nothing to a reader of a part that hasn't the person, and so not the week, whole. */
function sayWorkDay(line: Evidence): string {
  const isWorkDay = line['is_work_day'] ?? null;
  if (isWorkDay === null) return '';
  const whose = line['is_by_call'] ? 'the company' : 'the person';
  return isWorkDay
    ? `${line['is_by_call'] ? 'The company' : 'The person'} works on this weekday, and time off doesn't take the whole day.`
    : `None of the days of the occurrence is a work day of ${whose}, so all of them count.`;
}

function scheduledDay(line: Evidence): LineStep {
  const repeats = REPEATS[Number(line['repeat_state'] ?? 0)];
  const occurrence = Number(line['occurrence'] ?? 0);
  const which = occurrence === 0 ? 'its first occurrence' : `repeat ${occurrence}`;
  const [first, last] = [line['first_date'], line['last_date']].map((day) => spellDay(String(day)));
  const days = first === last ? `on ${first}` : `from ${first} to ${last}`;
  const allocation = repeats
    ? `Allocation ${line['task_id']} repeats ${repeats}; the day is in ${which}, ${days}.`
    : `Allocation ${line['task_id']} ${first === last ? 'is' : 'lasts'} ${days}.`;
  const byCall = line['is_by_call']
    ? "The person works by call, in no week of their own, so the company's week decides."
    : '';
  return step('day', 'Why this day has a line', line['is_by_call'] ? 'D2, D3, D6, D7' : 'D2, D3, D6', {
    text: [allocation, byCall, sayWorkDay(line)].filter((text) => text !== '').join(' '),
    facts: [
      fact('Hours of the allocation on the day', line['hours'], 'hours'),
      fact('Work hours of the day', line['work_hours'], 'hours'),
      fact('Work hours in effect since', line['work_hours_from'], 'date'),
      fact('Time off and holidays on the day', line['time_off_hours'], 'hours'),
    ],
  });
}

function loggedDay(line: Evidence): LineStep {
  const project =
    line['own_project_id'] === null
      ? ' It names no project, so it has that of its allocation, of its project task or of its phase.'
      : '';
  return step('day', 'Why this day has a line', 'D7, D8', {
    text: `Record ${line['logged_time_id']} of logged time is of this day. Logged time counts on every day, work day or not.${project}`,
    facts: [fact('Logged hours', line['hours'], 'hours')],
  });
}

/** Describes the phase and the project task that a record names and its line doesn't have, because they are of another project. */
function foreignParts(line: Evidence, hours: Labour): LineStep[] {
  const named = [
    { part: 'phase', id: line['named_phase_id'], project: line['phase_project_id'] },
    { part: 'project task', id: line['named_task_id'], project: line['task_project_id'] },
  ];
  const foreign = named.filter(
    ({ project = null }) => project !== null && String(project) !== String(line['project_id']),
  );
  if (foreign.length === 0) return [];
  const record = hours === 'plan' ? 'allocation' : 'record';
  const sentences = foreign.map(
    ({ part, id, project }) => `The ${record} names ${part} ${id}, which is of project ${project}.`,
  );
  const parts = foreign.map(({ part }) => part).join(' and no ');
  const text = `${sentences.join(' ')} The line is of project ${line['project_id']}, so it has no ${parts}: rates, status and billability are those of its own project.`;
  return [step('parts', 'Why the line has no such part', 'D9', { text })];
}

function statusStep(line: Evidence, hours: Labour): LineStep {
  if (hours === 'work') return step('status', 'Why this status', 'S1', { text: 'Logged time is confirmed.' });
  return step('status', 'Why this status', 'S1', {
    text: 'The least firm of allocation, project and phase decides; completed if that is confirmed and one of them is completed.',
    facts: [
      fact('Allocation', line['record_status'], 'text'),
      fact('Project', line['project_status'], 'text'),
      fact('Phase', line['phase_status'], 'text'),
      fact('The line', line['status'], 'text'),
    ],
  });
}

function billableStep(line: Evidence, hours: Labour): LineStep {
  const [record, task] = [
    fact('The record itself', line['record_billable'], 'boolean'),
    fact('Its project task', line['task_billable'], 'boolean'),
  ];
  const asked = [
    fact('The project is non-billable', line['project_non_billable'] || null, 'boolean'),
    fact('The phase is non-billable', line['phase_non_billable'] || null, 'boolean'),
    ...(hours === 'plan' ? [task, record] : [record, task]),
  ];
  return step('billable', 'Why this is billable or not', 'S2', {
    text: `The line is ${line['billable'] ? 'billable' : 'not billable'}. Without an answer, work is billable.`,
    levels: levels(asked),
  });
}

function roleStep(line: Evidence): LineStep {
  const asked = [
    fact("The person's place in the phase's team", line['phase_team_role'], 'text'),
    fact("The person's place in the project's team", line['project_team_role'], 'text'),
    fact(dayRoleLabel(line), line['day_role'], 'text'),
  ];
  return step('role', 'Why this role', 'R2', {
    text: 'A role in a team comes before the role of the person on the day.',
    levels: levels(asked),
  });
}

function dayRoleLabel({ contract_position: position, contract_from: from }: Evidence): string {
  if (Number(position ?? 0) === 0) return 'The person, without a contract on the day';
  if (from === FIRST_DATE) return 'The contract, in effect from the beginning';
  return `The contract in effect since ${spellDay(String(from))}`;
}

function costRateStep(line: Evidence): LineStep {
  // A contract may say that its rate is a copy of its role's.
  const copied = line['contract_cost_source'] === 'role' ? ', with the rate of its role' : '';
  const asked = [
    fact(`${dayRoleLabel(line)}${copied}`, line['contract_cost_rate'], 'rate'),
    fact(`The role ${line['day_role'] ?? '(none)'} on the day`, line['role_cost_rate'], 'rate'),
  ];
  return step('cost_rate', 'Why this cost rate', 'R1, R3', {
    text: 'The contract in effect on the day decides, then the role of that contract. Teams play no part. Without either, the cost is unknown.',
    levels: levels(asked),
  });
}

function billRateStep(line: Evidence): LineStep {
  const names = {
    phase_team: "The phase's team",
    phase: 'The phase',
    project_team: "The project's team",
    project: 'The project',
    rate_card: "The project's rate card",
    client_card: "The client's rate card",
    person: 'The person',
    role: `The role ${line['role'] ?? '(none)'}`,
  };
  // Cards are told of where there are some.
  const told = BILL_LEVELS.filter(({ level }) => !level.endsWith('_card') || (line[`${level}_rate`] ?? null) !== null);
  const asked = told.map(({ level }) => {
    const from = line[`${level}_rate_from`] ?? null;
    const seen = line[`${level}_rate_is_seen`] ? ', when the source was first seen to say it' : '';
    const since = from === null ? '' : `, from ${spellDay(String(from))}${seen}`;
    return fact(`${names[level]}${since}`, line[`${level}_rate`], 'rate');
  });
  return step('bill_rate', 'Why this bill rate', 'R4', {
    text: 'The first of these that has a rate on the day decides. Without one, the fee of billable work is unknown.',
    levels: levels(asked),
  });
}

function amountStep(line: Evidence, amount: 'cost' | 'fee'): LineStep {
  const rate = line[amount === 'cost' ? 'cost_rate' : 'bill_rate'];
  const title = amount === 'cost' ? 'Why this cost' : 'Why this fee';
  if (amount === 'fee' && !line['billable']) {
    return step(amount, title, 'A2', { text: 'Work that is not billable has a fee of 0.' });
  }
  if (rate === null || rate === undefined) {
    return step(amount, title, 'A2, R5', { text: `There is no rate, so the ${amount} is unknown. It is not 0.` });
  }
  return step(amount, title, 'A1, A2', {
    text: 'Hours times the rate, rounded once, here.',
    facts: [
      fact('Hours', line['hours'], 'hours'),
      fact('Rate', rate, 'rate'),
      fact('Before rounding', line[`exact_${amount}`], 'money'),
      fact('Rounded', line[amount], 'money'),
      fact('Moved by rounding', line[`moved_${amount}`], 'money'),
    ],
  });
}
