import type { Clean, Milestone, Phase, Progress, Project, ProjectTask } from './clean.ts';
import { Exact, minorUnit, ZERO } from './exact.ts';
import { contractOf, type Line, leastFirm, type Status } from './ledger.ts';

export type Kind = 'time' | 'capped' | 'fixed' | 'internal' | 'retainer';

/** A place (K1): the project, phase or project task at the level on which budgets stand. */
export interface Place {
  readonly key: string;
  readonly project: Project;
  /** The phase that is the place, or that of the project task. */
  readonly phase: Phase | undefined;
  readonly task: ProjectTask | undefined;
  readonly kind: Kind;
  /** T, rounded to the minor unit; 0 where none is agreed. */
  readonly total: Exact;
  readonly recognise: string;
  /** Billed expenses use T. */
  readonly hasExpenses: boolean;
  readonly status: Status;
  readonly startDate: string | null;
  readonly endDate: string | null;
  /** The day on which the place was completed; null if unknown. */
  readonly completedOn: string | null;
}

function readPlace(records: Clean, project: Project, phase: Phase | undefined, task: ProjectTask | undefined): Place {
  const total = [project.budgetTotal, phase?.budgetTotal, task?.budget][project.budgetPriority] ?? null;
  const contract = contractOf(project, phase) ?? (project.budgetType === 2 ? 'fixed' : 'time');
  const hasMoney = total !== null && project.budgetType !== 1;
  const isInternal = project.nonBillable || phase?.nonBillable === true;
  const kind = (contract === 'fixed' || contract === 'capped') && !hasMoney ? 'time' : (contract as Kind);
  const isRetained = [...records.retainers.values()].some(
    ({ projectId, phaseId }) => projectId === project.id && (phaseId === 0 || phaseId === phase?.id),
  );
  const recordsOf = phase ? [phase, project] : [project];
  const first = <Value>(values: readonly (Value | null)[]) => values.find((value) => value !== null) ?? null;
  const startDate = first(recordsOf.map((record) => record.startDate));
  const endDate = first([phase?.endDate ?? null, project.hasDoubtfulEnd ? null : project.endDate]);
  const asked = first(recordsOf.map((record) => record.recognise)) ?? 'progress';
  const isPossible =
    asked === 'evenly' ? startDate !== null && endDate !== null : asked !== 'milestones' || project.budgetPriority < 2;
  return {
    key: `${project.id}:${phase?.id ?? 0}:${task?.id ?? ''}`,
    project,
    phase,
    task,
    kind: isRetained ? 'retainer' : isInternal ? 'internal' : kind,
    total: (total ?? ZERO).toDecimalPlaces(minorUnit(records.settings.currency), Exact.ROUND_HALF_UP),
    recognise: isPossible ? asked : 'progress',
    hasExpenses: project.budgetPriority === 0 && project.feeExpenses !== 'on_top',
    status: leastFirm(recordsOf.map((record) => record.status)),
    startDate,
    endDate,
    completedOn: first(recordsOf.map((record) => (record.status === 3 ? record.completedOn : null))),
  };
}

/** Returns the places of a company by key. */
export function placesOf(records: Clean): Map<string, Place> {
  const places = [...records.projects.values()].flatMap((project) => {
    const phases = [...records.phases.values()].filter(({ projectId }) => projectId === project.id);
    if (project.budgetPriority === 0) return [readPlace(records, project, undefined, undefined)];
    if (project.budgetPriority === 1) return phases.map((phase) => readPlace(records, project, phase, undefined));
    return [...records.projectTasks.values()]
      .filter(({ projectId }) => projectId === project.id)
      .map((task) => readPlace(records, project, records.phases.get(task.phaseId), task));
  });
  return new Map(places.map((place) => [place.key, place]));
}

/** Returns the key of the place of a line, which may be no place. */
export function placeKeyOf(records: Clean, line: Line): string {
  const priority = records.projects.get(line.project_id)?.budgetPriority;
  if (priority === 0) return `${line.project_id}:0:`;
  if (priority === 1) return `${line.project_id}:${line.phase_id}:`;
  const task = records.projectTasks.get(line.task_meta_id ?? 0);
  return `${line.project_id}:${records.phases.get(task?.phaseId ?? 0)?.id ?? 0}:${task?.id}`;
}

/** Returns the milestones of a place that have a day and an amount, in their order; a phase of another project is not theirs. */
export function milestonesOf(
  records: Clean,
  { project, phase }: Place,
): (Milestone & { date: string; amount: Exact })[] {
  const isOf = ({ projectId, phaseId }: Milestone) => {
    const own = records.phases.get(phaseId);
    if ((projectId ?? own?.projectId) !== project.id) return false;
    return phase === undefined || (own?.id === phase.id && own.projectId === project.id);
  };
  return [...records.milestones.values()]
    .filter(isOf)
    .flatMap((milestone) => {
      const { date, amount } = milestone;
      return date === null || amount === null ? [] : [{ ...milestone, date, amount }];
    })
    .sort((a, b) => (a.date === b.date ? a.id - b.id : a.date < b.date ? -1 : 1));
}

/** Returns the entries of progress of a place by day: of several of a day the one with the latest id. */
export function progressOf(records: Clean, { project, phase, task }: Place): Progress[] {
  const isOf = (entry: Progress) => {
    if (entry.projectId !== project.id) return false;
    if (task) return entry.taskId === task.id;
    return entry.taskId === null && entry.phaseId === (phase?.id ?? 0);
  };
  const own = [...records.progress.values()].filter(isOf).sort((a, b) => a.id - b.id);
  const ofDays = new Map(own.map((entry) => [entry.date, entry]));
  return [...ofDays.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}
