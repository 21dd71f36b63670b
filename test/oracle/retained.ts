import type { Clean, RetainerRecord } from './clean.ts';
import { Exact, minorUnit, ZERO } from './exact.ts';
import { isNonBillable, type Line, leastFirm, type Status } from './ledger.ts';
import type { Query } from './parameters.ts';
import { earnRetainer, type Grid, lotsOf, type Use, walkLots } from './retainers.ts';

/*
 * The revenue of a company by its retainers (T6): the walk over lots, of the lines of a query.
 */

/** The digits of hours in the units of a walk. */
const HOUR_DIGITS = 6;

const unitsOf = (amount: Exact | null, digits: number) => BigInt((amount ?? ZERO).times(10 ** digits).toFixed(0));

const moneyOf = (units: bigint, digits: number) => new Exact(String(units)).dividedBy(10 ** digits);

/** Returns the key of the retainers that work of a phase uses: those of the phase, else those of its project; undefined without any (T3). */
export function retainedKeyOf({ retainers }: Clean, projectId: number, phaseId: number): string | undefined {
  const own = [...retainers.values()].filter((each) => each.projectId === projectId);
  const found = [phaseId, 0].find((phase) => own.some((each) => each.phaseId === phase));
  return found === undefined ? undefined : `${projectId}:${found}`;
}

/** Tests for work in a period of a retainer with a price, which earns nothing more if it is logged (K7). */
export function isRetainedAtPrice(records: Clean, { project_id, phase_id, date }: Line): boolean {
  const key = retainedKeyOf(records, project_id, phase_id);
  return [...records.retainers.values()].some(
    (retainer) =>
      `${retainer.projectId}:${retainer.phaseId}` === key &&
      !isNonBillable(records, retainer.projectId, retainer.phaseId) &&
      lotsOf(retainer, gridOf(records)).some((lot) => lot.price !== null && lot.first <= date && date <= lot.last),
  );
}

/** Returns the company's periods. */
function gridOf({ settings }: Clean): Grid {
  return { ...settings, horizon: `${new Date().getUTCFullYear() + 2}-12-31` };
}

/** The revenue of retainers with lines, and beside them by day. */
export interface Retained {
  readonly earned: ReadonlyMap<Line, Exact | null>;
  readonly beyond: ReadonlyMap<Line, Exact>;
  readonly days: readonly RetainedDay[];
}

interface RetainedDay {
  readonly retainer: RetainerRecord;
  readonly status: Status;
  readonly date: string;
  readonly amount: Exact;
}

/**
 * Returns what retainers earn with lines, and beside them.
 * @param lines All lines with a retainer, in their order.
 * @param asked Those of work after the cutoff that count.
 */
export function earnRetained(
  records: Clean,
  lines: readonly Line[],
  asked: ReadonlySet<Line>,
  { cutoff }: Pick<Query, 'cutoff'>,
): Retained {
  const earned = new Map<Line, Exact | null>();
  const beyond = new Map<Line, Exact>();
  const days: RetainedDay[] = [];
  const digits = minorUnit(records.settings.currency);
  for (const retainer of records.retainers.values()) {
    const { projectId, phaseId } = retainer;
    const [project, phase] = [records.projects.get(projectId), records.phases.get(phaseId)];
    if (!project) continue;
    const status = leastFirm([project, phase].flatMap((each) => each?.status ?? []));
    const isSoft = status === 'draft' || status === 'tentative';
    const isInternal = isNonBillable(records, projectId, phaseId);
    const known = lotsOf(retainer, gridOf(records));
    const lots = isInternal ? known.map((lot) => ({ ...lot, price: null })) : known;
    const lineOf = new Map<Use, Line>();
    for (const line of lines) {
      if (
        line.kind === 'expense' ||
        retainedKeyOf(records, line.project_id, line.phase_id) !== `${projectId}:${phaseId}`
      )
        continue;
      if (!lots.some((lot) => lot.first <= line.date && line.date <= lot.last)) continue;
      const isCounted = line.kind === 'actual' ? line.date <= cutoff : asked.has(line);
      const units = retainer.unit === 'hours' ? unitsOf(line.hours, HOUR_DIGITS) : unitsOf(line.fee, digits);
      if (!isCounted) earned.set(line, ZERO);
      else if (units > 0n && (retainer.counts === 'all' || line.billable)) lineOf.set({ date: line.date, units }, line);
      if (isCounted && isSoft && line.date <= cutoff) earned.set(line, ZERO);
    }
    const uses = [...lineOf.keys()];
    const walk = walkLots(retainer, lots, uses);
    const recognise = status === 'canceled' ? 'as_used' : retainer.recognise;
    const revenue = earnRetainer({ ...retainer, recognise }, walk, uses, (use) =>
      unitsOf(lineOf.get(use)?.fee ?? null, digits),
    );
    for (const [use, line] of lineOf) {
      if (!(isSoft && line.date <= cutoff)) earned.set(line, moneyOf(revenue.earned.get(use) ?? 0n, digits));
      beyond.set(line, moneyOf(revenue.beyond.get(use) ?? 0n, digits));
    }
    for (const [date, units] of revenue.days) days.push({ retainer, status, date, amount: moneyOf(units, digits) });
  }
  return { earned, beyond, days };
}
