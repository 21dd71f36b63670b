import { Decimal } from 'decimal.js';
import { createCalendar } from './days.ts';
import type { Company, Expense, Member, Phase, Project } from './records.ts';

/** A line of the ledger: a day of an allocation, a logged-time record, or an expense. */
export interface Line {
  readonly kind: 'scheduled' | 'actual' | 'expense';
  readonly date: string;
  readonly personId: number | null;
  readonly projectId: number;
  readonly phaseId: number | null;
  readonly status: Status;
  readonly isBillable: boolean;
  readonly hours: Decimal;
  /** Null without a rate. */
  readonly cost: Decimal | null;
  readonly fee: Decimal | null;
}

type Pricing = ReturnType<typeof createPricing>;

interface Work {
  readonly date: string;
  readonly personId: number;
  readonly projectId: number;
  readonly phaseId: number | null;
  readonly hours: Decimal;
  readonly isBillable: boolean;
}

export type Status = (typeof statuses)[number];

export const statuses = ['draft', 'tentative', 'confirmed', 'completed', 'canceled'] as const;

const zero = new Decimal(0);

export function buildLedger(company: Company): Line[] {
  const price = createPricing(company);
  return [...scheduledLines(company, price), ...actualLines(company, price), ...expenseLines(company)];
}

function scheduledLines(company: Company, price: Pricing): Line[] {
  const { allocations, projects, phases, projectTasks } = company;
  const datesOf = createCalendar(company);
  const lines: Line[] = [];
  for (const allocation of allocations.values()) {
    const { projectId, hours } = allocation;
    if (hours.isZero()) continue;
    const project = projects.get(projectId);
    const phaseId = ownPhase(company, allocation.phaseId, projectId);
    const phase = phases.get(phaseId ?? 0);
    const projectTask = ownPart(projectTasks.get(allocation.projectTaskId ?? 0), projectId);
    const saysBillable = (projectTask ? projectTask.isBillable : allocation.isBillable) ?? true;
    const isBillable = saysBillable && canBill(project, phase);
    const status = statusOf([allocation.status, project?.status ?? 2, phase?.status ?? 2]);
    for (const personId of allocation.personIds) {
      for (const date of datesOf(allocation, personId)) {
        const work = { date, personId, projectId, phaseId, hours, isBillable };
        lines.push({ kind: 'scheduled', status, ...work, ...price(work) });
      }
    }
  }
  return lines;
}

function actualLines(company: Company, price: Pricing): Line[] {
  const { allocations, loggedTime, projects, phases, projectTasks } = company;
  const lines: Line[] = [];
  for (const record of loggedTime.values()) {
    const { personId, date, hours } = record;
    if (hours.isZero()) continue;
    const task = projectTasks.get(record.projectTaskId ?? 0);
    const giver = record.projectId === null ? (allocations.get(record.allocationId ?? 0) ?? task) : undefined;
    const givenPhase = record.phaseId ?? giver?.phaseId ?? null;
    const projectId = record.projectId ?? giver?.projectId ?? phases.get(givenPhase ?? 0)?.projectId ?? 0;
    const phaseId = ownPhase(company, givenPhase, projectId);
    const projectTask = ownPart(task, projectId);
    const saysBillable = record.isBillable ?? projectTask?.isBillable ?? true;
    const isBillable = saysBillable && canBill(projects.get(projectId), phases.get(phaseId ?? 0));
    const work = { date, personId, projectId, phaseId, hours, isBillable };
    lines.push({ kind: 'actual', status: 'confirmed', ...work, ...price(work) });
  }
  return lines;
}

function expenseLines({ expenses, projects, settings }: Company): Line[] {
  return [...expenses.values()].map((expense) => {
    const { projectId, date } = expense;
    const isBillable = expense.isBillable && canBill(projects.get(projectId), undefined);
    return {
      kind: 'expense',
      date,
      personId: null,
      projectId,
      phaseId: null,
      status: 'confirmed',
      isBillable,
      hours: zero,
      cost: expense.cost.toDecimalPlaces(settings.minorUnits),
      fee: isBillable ? billedExpense(expense).toDecimalPlaces(settings.minorUnits) : zero,
    };
  });
}

/** Returns a phase or project task unless it is of another project. */
function ownPart<T extends { readonly projectId: number }>(part: T | undefined, projectId: number): T | undefined {
  return part?.projectId === projectId ? part : undefined;
}

/** Returns the id of a phase unless that is of another project. An unknown one stays. */
function ownPhase({ phases }: Company, phaseId: number | null, projectId: number): number | null {
  const phase = phases.get(phaseId ?? 0);
  return phase !== undefined && phase.projectId !== projectId ? null : phaseId;
}

function billedExpense({ cost, markup, isFixedMarkup }: Expense): Decimal {
  return isFixedMarkup ? cost.plus(markup) : cost.times(markup.plus(100)).div(100);
}

function canBill(project: Project | undefined, phase: Phase | undefined): boolean {
  return !project?.isNonBillable && !phase?.isNonBillable;
}

function statusOf(codes: number[]): Status {
  if (codes.includes(4)) return 'canceled';
  const leastFirm = Math.min(...codes);
  const status = leastFirm === 2 && codes.includes(3) ? 3 : leastFirm;
  return statuses[status] ?? 'confirmed';
}

/** Returns a function that prices hours with the rates of their day, the person's before the role's. */
function createPricing({ settings, people, roles, projects, phases }: Company) {
  const projectTeam = new Map<string, Member>();
  const phaseTeam = new Map<string, Member>();
  for (const { id, team } of projects.values()) {
    for (const member of team) {
      if (member.phaseId === null) projectTeam.set(`${id} ${member.personId}`, member);
      else if ((phases.get(member.phaseId)?.projectId ?? id) === id)
        phaseTeam.set(`${member.phaseId} ${member.personId}`, member);
    }
  }
  for (const { id, team } of phases.values()) {
    for (const member of team) phaseTeam.set(`${id} ${member.personId}`, member);
  }

  return (work: Work): { cost: Decimal | null; fee: Decimal | null } => {
    const { personId, projectId, phaseId, date, hours, isBillable } = work;
    const person = people.get(personId);
    const contract = person?.contracts.findLast(({ from }) => from <= date);
    const roleId = (contract ?? person)?.roleId ?? null;
    const inPhase = phaseTeam.get(`${phaseId} ${personId}`);
    const inProject = projectTeam.get(`${projectId} ${personId}`);
    const costRate =
      contract?.costRate ?? roles.get(roleId ?? 0)?.costRates.findLast(({ from }) => from <= date)?.rate ?? null;
    const billRate =
      inPhase?.hourlyRate ??
      phases.get(phaseId ?? 0)?.hourlyRate ??
      inProject?.hourlyRate ??
      projects.get(projectId)?.hourlyRate ??
      person?.hourlyRate ??
      roles.get(inPhase?.roleId ?? inProject?.roleId ?? roleId ?? 0)?.hourlyRate ??
      null;
    const amount = (rate: Decimal | null) => rate && hours.times(rate).toDecimalPlaces(settings.minorUnits);
    return { cost: amount(costRate), fee: isBillable ? amount(billRate) : zero };
  };
}
