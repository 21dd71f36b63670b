import { addDays, daysBetween } from './calendar.ts';
import type { Dataset, RawRecord } from './dataset.ts';
import { longerOccurrences, occurrences } from './days.ts';
import { sumHours, ZERO } from './exact.ts';
import { type Model, modelOf } from './ledger.ts';
import type { RandomQuery } from './random.ts';
import { contractOn, phaseTeamItem, projectTeamItem } from './rates.ts';
import { type Row, runReport } from './reports.ts';

/** Returns the branches of the rules that a dataset reaches, by the names used in the self test. */
export function coverageOf(dataset: Dataset): Set<string> {
  const found = new Set<string>();
  const note = (name: string, when = true): void => {
    if (when) found.add(name);
  };
  const model = modelOf(dataset);
  noteInput(dataset, model, note);
  noteDays(model, note);
  noteParts(model, note);
  notePeople(model, note);
  noteLines(model, note);
  noteRates(model, note);
  return found;
}

type Note = (name: string, when?: boolean) => void;

function noteInput(dataset: Dataset, model: Model, note: Note): void {
  const { clean } = model;
  note('settings: none', dataset.settings === undefined);
  note(`currency ${clean.settings.currency}`);
  note(`week starts on ${clean.settings.weekStartsOn}`);
  note(`fiscal year starts in ${clean.settings.fiscalYearStartsIn}`);
  note('duplicates', clean.duplicates > 0);
  for (const { resource } of clean.setAside) note(`set aside: ${resource}`);
  for (const record of Object.values(dataset).flat() as RawRecord[]) {
    for (const [field, value] of Object.entries(record)) {
      if (field === 'hours' || field.endsWith('rate'))
        note(`decimal as ${typeof value}`, value !== null && value !== '');
      if (field === 'billable') note(`boolean as ${JSON.stringify(value)}`);
      if (field.endsWith('_id')) note(`id as ${typeof value}`);
      note('an empty text for null', value === '' && field !== 'name' && field !== 'notes');
      note('more than 4 decimals', field === 'hours' && /\.\d{5}/.test(String(value)));
    }
  }
  for (const project of clean.projects.values()) {
    note(`project status ${project.status}`);
    note(`budget type ${project.budgetType} priority ${project.budgetPriority}`);
    note('no budget total', project.budgetTotal === null);
    note('two tags', project.tags.length > 1);
    note('no tag', project.tags.length === 0);
    note('inactive project', !project.active);
  }
  for (const person of clean.people.values()) {
    note('inactive person', !person.active);
    note(`people type ${person.typeId}`);
    note('work hours history', person.workDaysHoursHistory.length > 1);
    note('hired', person.startDate !== null);
    note('left', person.endDate !== null);
    note(
      'a contract without date',
      person.contracts.some((contract) => contract.effectiveDate === null),
    );
    note('lone cost rate', person.contracts.length === 0 && person.costRate !== null);
    const dates = person.contracts.map((contract) => contract.effectiveDate);
    note('two contracts on one date', new Set(dates).size < dates.length);
  }
}

function noteDays(model: Model, note: Note): void {
  const { clean, days } = model;
  for (const timeOff of clean.timeOffs.values()) {
    note(`time off repeat_state ${timeOff.repeatState}`);
    note(`time off status ${timeOff.status}`);
    note('time off of several people', timeOff.peopleIds.length > 1);
    note('time off without a repeat end', timeOff.repeatState > 0 && timeOff.repeatEnd === null);
    note(`time off full_day ${timeOff.fullDay} hours ${timeOff.hours !== null}`);
    for (const peopleId of timeOff.peopleIds) note('time off of an unknown person', !clean.people.has(peopleId));
  }
  for (const holiday of clean.holidays.values()) {
    const people = [...clean.people.values()].filter(({ regionId }) => regionId === holiday.regionId);
    note('holiday of everybody', holiday.regionId === null);
    note('holiday of a region', holiday.regionId !== null && people.length > 0);
    note('holiday of a region without people', holiday.regionId !== null && people.length === 0);
    note('holiday of several days', holiday.days.size > 1);
  }
  for (const allocation of clean.allocations.values()) {
    const { repeatState, startDate, endDate, peopleIds } = allocation;
    note(`repeat_state ${repeatState}`);
    note('allocation of several people', peopleIds.length > 1);
    note('allocation of 0 hours', allocation.hours.isZero());
    const found = occurrences(allocation, days.repeatEndOf(allocation));
    const longer = longerOccurrences(found).length;
    const steps = repeatState === 2 || repeatState >= 6 ? 'months' : 'weeks';
    note('occurrences that share days, all of them (D3)', longer === 1 && found.length > 1);
    note(`occurrences that share days, some of them (D3), in ${steps}`, longer > 1 && longer < found.length);
    if (repeatState > 0 && allocation.repeatEnd === null) {
      const project = clean.projects.get(allocation.projectId);
      note(
        project === undefined ? 'repeat end: unknown project' : `repeat end: of project ${project.endDate !== null}`,
      );
    }
    const monthly = [2, 6, 7, 8, 9].includes(repeatState);
    note(`fifth weekday, repeat_state ${repeatState}`, monthly && startDate.slice(8) > '28' && found.length > 1);
    const cut = found.some((occurrence) => occurrence.length < daysBetween(startDate, endDate) + 1);
    note('occurrence cut by its repeat end', cut);
    for (const peopleId of peopleIds) {
      for (const day of new Set(found.flat())) {
        const off = days.timeOff(peopleId, day);
        note('day off', days.isDayOff(peopleId, day));
        note('part of a day off', off.greaterThan(0) && off.lessThan(days.work(peopleId, day)));
        note('allocation outside employment', !days.isEmployed(peopleId, day));
      }
    }
    note(
      'allocation without lines',
      peopleIds.every((peopleId) => days.scheduledDays(allocation, peopleId).length === 0),
    );
  }
  for (const peopleId of clean.people.keys()) {
    for (let day = '2024-01-01'; day <= '2024-06-30'; day = addDays(day, 1)) {
      const off = [...clean.timeOffs.values()].filter(
        (timeOff) =>
          timeOff.status === 2 &&
          timeOff.fullDay !== true &&
          timeOff.hours !== null &&
          timeOff.peopleIds.includes(peopleId) &&
          days.timeOffDays(timeOff, peopleId).has(day),
      );
      const work = days.work(peopleId, day);
      const added = sumHours(off.map((timeOff) => timeOff.hours ?? ZERO));
      note('partial days off that add up beyond W', off.length > 1 && work.greaterThan(0) && work.lessThan(added));
    }
  }
}

/** D9: notes what names a part of another project. */
function noteParts({ clean, lines }: Model, note: Note): void {
  const isForeign = (parts: Map<number, { projectId: number }>, id: number, projectId: number) =>
    ![undefined, projectId].includes(parts.get(id)?.projectId);
  for (const { projectId, phaseId, taskMetaId } of clean.allocations.values()) {
    note('D9 allocation, phase', isForeign(clean.phases, phaseId, projectId));
    note('D9 allocation, project task', isForeign(clean.projectTasks, taskMetaId ?? 0, projectId));
  }
  for (const line of lines.filter(({ kind }) => kind === 'actual')) {
    const record = clean.loggedTime.get(line.logged_time_id ?? '');
    note('D9 logged time, phase', isForeign(clean.phases, record?.phaseId ?? 0, line.project_id));
    note('D9 logged time, project task', isForeign(clean.projectTasks, record?.taskMetaId ?? 0, line.project_id));
  }
  for (const { id, team } of clean.projects.values())
    for (const item of team) note('D9 team item', isForeign(clean.phases, item.phaseId, id));
}

/** D5, D7: notes who has no capacity, or not until the end of the employment. */
function notePeople({ clean, days, lines }: Model, note: Note): void {
  for (const { id, active, endDate, typeId } of clean.people.values()) {
    const last = days.lastLogged(id) ?? '';
    const isPlannedAfter = lines.some(
      ({ kind, people_id, date }) => kind === 'scheduled' && people_id === id && date > last,
    );
    note('D7 work by call', days.isByCall(id) && typeId < 3);
    note(`D5 archived, end ${endDate !== null}, capacity ${days.hasCapacity(id)}`, !active && typeId < 3);
    note('D5 planned after the last logged day', !active && endDate === null && isPlannedAfter);
  }
}

function noteLines(model: Model, note: Note): void {
  const { clean, days } = model;
  const ids = new Set(model.lines.map((line) => line.line_id));
  if (ids.size !== model.lines.length) throw new Error('two lines have the same line_id');
  for (const line of model.lines) {
    note(`kind ${line.kind}`);
    note(`${line.kind} status ${line.status}`);
    note(`${line.kind} billable ${line.billable}`);
    note(`${line.kind} cost null ${line.cost === null}`);
    note(`${line.kind} fee null ${line.fee === null}`);
    note(`cost_rate_source ${line.cost_rate_source}`);
    note(`bill_rate_source ${line.bill_rate_source}`);
    note('billable at rate 0', line.billable && line.bill_rate?.isZero() === true);
    note('not billable, with a rate', !line.billable && line.bill_rate !== null);
    note('cost rate 0', line.cost_rate?.isZero() === true);
    note('unknown project', line.project_id !== 0 && !clean.projects.has(line.project_id));
    note('unknown phase', line.phase_id !== 0 && !clean.phases.has(line.phase_id));
    note('unknown task', line.task_meta_id !== null && !clean.projectTasks.has(line.task_meta_id));
    note('unknown role', line.role_id !== null && !clean.roles.has(line.role_id));
    note('no role', line.role_id === null);
    if (line.people_id === null) continue;
    note('unknown person', !clean.people.has(line.people_id));
    if (line.kind === 'scheduled') note('overtime (D6)', days.work(line.people_id, line.date).isZero());
    else note('worked outside employment', !days.isEmployed(line.people_id, line.date));
    if (line.cost_rate === null || line.hours === null) continue;
    const moved = line.cost !== null && !line.cost.equals(line.hours.times(line.cost_rate));
    note('rounding moved an amount (A1)', moved);
  }
  for (const allocation of clean.allocations.values()) {
    const project = clean.projects.get(allocation.projectId)?.status ?? 'unknown';
    const phase = allocation.phaseId === 0 ? 'none' : (clean.phases.get(allocation.phaseId)?.status ?? 'unknown');
    note(`S1 ${project} ${phase} ${allocation.status}`);
    const task = clean.projectTasks.get(allocation.taskMetaId ?? 0);
    const taskFlag = allocation.taskMetaId === null ? 'none' : task === undefined ? 'unknown' : task.billable;
    note(`S2 scheduled task ${taskFlag} allocation ${allocation.billable}`);
  }
  for (const record of clean.loggedTime.values()) {
    const task = clean.projectTasks.get(record.taskMetaId ?? 0);
    const taskFlag = record.taskMetaId === null ? 'none' : task === undefined ? 'unknown' : task.billable;
    note(`S2 actual record ${record.billable} task ${taskFlag}`);
    note('logged 0 hours', record.hours.isZero());
    if (record.projectId !== null) continue;
    const byAllocation = clean.allocations.has(record.taskId ?? 0);
    const giver = byAllocation ? 'allocation' : task !== undefined ? 'task' : 'nothing';
    note(`D8 by ${giver}, own phase ${record.phaseId !== 0}`);
    note('D8 unknown allocation, known task', record.taskId !== null && giver === 'task');
    note('D8 both', byAllocation && task !== undefined);
  }
  for (const expense of clean.expenses.values()) {
    note('credit', expense.cost.isNegative());
    note(`expense billable ${expense.billable} markup type ${expense.markupType} ${expense.markup !== null}`);
  }
}

function noteRates(model: Model, note: Note): void {
  const { clean } = model;
  for (const project of clean.projects.values()) {
    for (const person of project.team) {
      note('team item with a phase', person.phaseId !== 0);
      note('two items for one person', project.team.filter((item) => item.peopleId === person.peopleId).length > 1);
    }
  }
  for (const line of model.lines) {
    if (line.people_id === null) continue;
    const work = { peopleId: line.people_id, projectId: line.project_id, phaseId: line.phase_id, date: line.date };
    const contract = contractOn(clean, work.peopleId, work.date);
    const person = clean.people.get(work.peopleId);
    note('contract without role', contract !== null && contract.roleId === null);
    note('contract without cost rate', contract !== null && contract.costRate === null);
    note('no contract yet', contract === null && (person?.contracts.length ?? 0) > 0);
    note('lone cost rate later', contract === null && person?.contracts.length === 0 && person.costRate !== null);
    const inPhase = phaseTeamItem(clean, work);
    const inProject = projectTeamItem(clean, work);
    note('role of the phase team', inPhase !== null && inPhase.roleId !== null);
    note('role of the project team', inPhase?.roleId == null && inProject !== null && inProject.roleId !== null);
    note('phase team item without rate', inPhase !== null && inPhase.hourlyRate === null);
    const own = clean.phases.get(line.phase_id)?.team.some((item) => item.peopleId === line.people_id) ?? false;
    note('project team item that names the phase', inPhase !== null && !own);
  }
}

export function queryCoverageOf(dataset: Dataset, { name, parameters }: RandomQuery): Set<string> {
  const found = new Set<string>([`report ${name}`]);
  const { start_date, end_date, cutoff_date } = parameters;
  if (start_date === undefined || end_date === undefined || cutoff_date === undefined) throw new Error('no window');
  found.add(cutoff_date < start_date ? 'cutoff before' : cutoff_date > end_date ? 'cutoff after' : 'cutoff inside');
  for (const [parameter, text] of Object.entries(parameters)) {
    found.add(`parameter ${parameter}`);
    if (parameter === 'interval') found.add(`${name} interval ${text}`);
    for (const value of text.split(',')) {
      if (value === 'none') found.add(`${parameter} none`);
      if (['status', 'group_by', 'measures'].includes(parameter)) found.add(`${parameter} ${value}`);
    }
  }
  const { rows, totals } = runReport(dataset, name, parameters);
  found.add(rows.length === 0 ? 'no rows' : 'rows');
  const all: Row[] = [...rows, totals];
  for (const row of all) {
    for (const [column, value] of Object.entries(row)) {
      found.add(`${column} ${value === null ? 'null' : 'given'}`);
      if (column.endsWith('_hours') && String(value) !== '0') found.add(`${column} not 0`);
    }
  }
  return found;
}
