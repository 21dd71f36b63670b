import { ALWAYS, type CardUse, type Clean, type Contract, type DatedRate, type TeamItem } from './clean.ts';
import type { Exact } from './exact.ts';

/** The place of work of a line, as used by the rates. */
export interface Work {
  peopleId: number;
  projectId: number;
  phaseId: number;
  date: string;
}

export interface Rate {
  rate: Exact | null;
  source: string;
}

/** Returns the latest entry that has begun; of two with one date, the later in the list. */
function latestOn<T>(items: readonly T[], startOf: (item: T) => string, date: string): T | null {
  let found: T | null = null;
  let foundStart = '';
  for (const item of items) {
    const start = startOf(item);
    if (start <= date && start >= foundStart) {
      found = item;
      foundStart = start;
    }
  }
  return found;
}

/** R1: returns the contract of p on d. */
export function contractOn(clean: Clean, peopleId: number, date: string): Contract | null {
  const person = clean.people.get(peopleId);
  if (person === undefined) return null;
  if (person.contracts.length > 0) {
    return latestOn(person.contracts, (contract) => contract.effectiveDate ?? person.startDate ?? ALWAYS, date);
  }
  if (person.costRate === null) return null;
  const lone: Contract = {
    effectiveDate: person.effectiveDate,
    roleId: person.roleId,
    costRate: person.costRate,
    costRateFrom: null,
  };
  return latestOn([lone], (contract) => contract.effectiveDate ?? ALWAYS, date);
}

/** Returns the person's own role, not the team's: the contract's if one covers d. */
export function ownRole(clean: Clean, peopleId: number, date: string): number | null {
  const contract = contractOn(clean, peopleId, date);
  if (contract !== null) return contract.roleId;
  return clean.people.get(peopleId)?.roleId ?? null;
}

function lastOf(items: readonly TeamItem[], peopleId: number): TeamItem | null {
  let found: TeamItem | null = null;
  for (const item of items) if (item.peopleId === peopleId) found = item;
  return found;
}

/** R4: returns p's item in the phase's list, else in the project team with that phase. */
export function phaseTeamItem(clean: Clean, work: Work): TeamItem | null {
  if (work.phaseId === 0) return null;
  const own = lastOf(clean.phases.get(work.phaseId)?.team ?? [], work.peopleId);
  if (own !== null) return own;
  const owner = clean.phases.get(work.phaseId)?.projectId;
  // D9: an item that names a phase of another project counts for nothing.
  const projects = owner === undefined ? clean.projects.values() : [clean.projects.get(owner)];
  const naming = [...projects].flatMap(
    (project) => project?.team.filter(({ phaseId }) => phaseId === work.phaseId) ?? [],
  );
  return lastOf(naming, work.peopleId);
}

/** R4: returns p's item in the project team, among items without a phase. */
export function projectTeamItem(clean: Clean, work: Work): TeamItem | null {
  const team = clean.projects.get(work.projectId)?.team ?? [];
  return lastOf(
    team.filter((item) => item.phaseId === 0),
    work.peopleId,
  );
}

/** R2: returns the role of a line. */
export function roleOf(clean: Clean, work: Work): number | null {
  return (
    phaseTeamItem(clean, work)?.roleId ??
    projectTeamItem(clean, work)?.roleId ??
    ownRole(clean, work.peopleId, work.date)
  );
}

/** R3: returns the cost rate of a role. */
export function roleCostRate(clean: Clean, roleId: number | null, date: string): Exact | null {
  const history = roleId === null ? [] : (clean.roles.get(roleId)?.costRates ?? []);
  return latestOn(history, (entry) => entry.effectiveDate ?? ALWAYS, date)?.rate ?? null;
}

/** R3: returns the cost rate. */
export function costRateOf(clean: Clean, work: Work): Rate {
  const contract = contractOn(clean, work.peopleId, work.date);
  if (contract !== null && contract.costRate !== null) {
    return { rate: contract.costRate, source: contract.costRateFrom ?? 'person' };
  }
  const rate = roleCostRate(clean, ownRole(clean, work.peopleId, work.date), work.date);
  return rate === null ? { rate: null, source: 'none' } : { rate, source: 'role' };
}

/** P1, P3: returns what a level says on a day: its latest entry, and the one without a day before all of them. */
function entryOn(undated: Exact | null, dated: readonly DatedRate[], date: string): DatedRate {
  const always: DatedRate = { rate: undated, effectiveDate: null };
  return latestOn([always, ...dated], (entry) => entry.effectiveDate ?? ALWAYS, date) ?? always;
}

/** P1: returns the bill rate of a role on a day. */
export function roleBillRate(clean: Clean, roleId: number | null, date: string): DatedRate {
  const role = roleId === null ? undefined : clean.roles.get(roleId);
  return entryOn(role?.hourlyRate ?? null, role?.billRates ?? [], date);
}

/** P1: returns the bill rate of a person on a day. */
export function personBillRate(clean: Clean, peopleId: number, date: string): DatedRate {
  const person = clean.people.get(peopleId);
  return entryOn(person?.hourlyRate ?? null, person?.billRates ?? [], date);
}

/** P2: returns the rate of a role in the card of the day. */
function cardRate(clean: Clean, uses: readonly CardUse[], roleId: number | null, date: string): DatedRate {
  const use = latestOn(uses, (each) => each.effectiveDate ?? ALWAYS, date);
  const rates = (clean.cards.get(use?.cardId ?? 0) ?? []).filter((entry) => entry.roleId === roleId);
  return latestOn(rates, (entry) => entry.effectiveDate ?? ALWAYS, date) ?? { rate: null, effectiveDate: null };
}

/** R4, P3: returns the first bill rate that is not null, of the entries that the levels have on the day. 0 is a rate. */
export function billRateOf(clean: Clean, work: Work): Rate & { from: string | null } {
  const { date } = work;
  const phase = clean.phases.get(work.phaseId);
  const project = clean.projects.get(work.projectId);
  const [inPhase, inProject] = [phaseTeamItem(clean, work), projectTeamItem(clean, work)];
  const roleId = roleOf(clean, work);
  const clientCards = clean.clientCards.get(project?.clientId ?? 0) ?? [];
  const levels: [source: string, entry: DatedRate][] = [
    ['phase_team', entryOn(inPhase?.hourlyRate ?? null, inPhase?.billRates ?? [], date)],
    ['phase', entryOn(phase?.hourlyRate ?? null, phase?.billRates ?? [], date)],
    ['project_team', entryOn(inProject?.hourlyRate ?? null, inProject?.billRates ?? [], date)],
    ['project', entryOn(project?.hourlyRate ?? null, project?.billRates ?? [], date)],
    ['rate_card', cardRate(clean, project?.cards ?? [], roleId, date)],
    ['client_card', cardRate(clean, clientCards, roleId, date)],
    ['person', personBillRate(clean, work.peopleId, date)],
    ['role', roleBillRate(clean, roleId, date)],
  ];
  const [source, entry] = levels.find(([, { rate }]) => rate !== null) ?? ['none', undefined];
  return { rate: entry?.rate ?? null, source, from: entry?.effectiveDate ?? null };
}
