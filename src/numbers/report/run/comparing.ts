import { type Days, moveDay } from '../../../base/calendar/index.ts';
import { AppError } from '../../../base/index.ts';
import type { Company } from '../catalogue/company-settings.ts';
import { chooseCutoff } from '../catalogue/cutoff.ts';
import { describeAsOf } from '../catalogue/measure-digest.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { ComparedClosings, ComparedMeta } from '../catalogue/table.ts';
import type { ChangePlan } from '../compare/change-plan.ts';
import { planSummary } from '../plan/plan-summary.ts';
import { PLAIN, regroup, reselect } from '../request/change-query.ts';
import type { Grouping, Query } from '../request/query.ts';
import { stateSource } from '../source/state-source.ts';
import type { ReportContext } from './context.ts';
import { assertComparable, type EarlierDays, type EarlierState } from './earlier.ts';

/** The most closings that one answer compares: each is verified, opened, and read as a whole. Unit: closings. */
export const MAX_COMPARED_CLOSINGS = 36;

/** The most closings whose changed lines one answer lists: all are read at once, in at least 130 MiB of memory each. Unit: closings. */
export const MAX_LISTED_CLOSINGS = 12;

/** The comparison of some days with a kept state. */
export interface StateComparison {
  readonly earlier: EarlierState;
  /** The query of the present data on these days. */
  readonly query: Query;
  /** That query with the cutoff and the today of the kept state. */
  readonly atThen: Query;
}

/** The kept states that a query compares with, and the days of its window that none of them has. */
export interface ComparedWindow {
  readonly states: readonly EarlierDays[];
  /** True if they are closings, each of its own days. */
  readonly isByClosing: boolean;
  readonly left: readonly Days[];
}

/**
 * Finds the states that a query compares its days with.
 * @param most The most closings.
 * @throws AppError unknown if no day is closed, limit for too many closings.
 */
export function windowOf(
  { earlier = [] }: ReportContext,
  { selection }: Query,
  most = MAX_COMPARED_CLOSINGS,
): ComparedWindow {
  const { startDate, endDate } = selection;
  const states = earlier.filter(({ days }) => !days || (days.startDate <= endDate && days.endDate >= startDate));
  if (states.length === 0) {
    throw new AppError('unknown', `No day from ${startDate} to ${endDate} is closed`, {
      hint: 'plumbline closings lists the closings. Give a window with days of one, or the name of another state as from.',
    });
  }
  if (states.length > most) {
    const message = `The window has days of ${states.length} closings; at most ${most} are compared at once`;
    throw new AppError('limit', message, { hint: 'Give a shorter window.' });
  }
  return { states, isByClosing: states.some(({ days }) => days), left: daysBeside(states, selection) };
}

function daysBeside(states: readonly EarlierDays[], { startDate, endDate }: Days): Days[] {
  const left: Days[] = [];
  let next = startDate;
  for (const { days = { startDate, endDate } } of states) {
    if (days.startDate > next) left.push({ startDate: next, endDate: moveDay(days.startDate, 'day', -1) });
    next = moveDay(days.endDate, 'day', 1);
  }
  return next > endDate ? left : [...left, { startDate: next, endDate }];
}

/**
 * Opens a state that a query compares some of its days with.
 * @throws AppError usage and input as assertComparable
 */
export async function openComparison(
  { company }: ReportContext,
  query: Query,
  { days, open }: EarlierDays,
): Promise<StateComparison> {
  const earlier = await open();
  assertComparable(earlier.company, company);
  const cutoff = chooseCutoff(earlier.cutoffDate, '', earlier);
  const own = days ? reselect(query, commonDays(days, query.selection)) : query;
  const { today, books } = earlier;
  return {
    earlier,
    query: own,
    atThen: reselect(regroup(own, {}, PLAIN), { cutoffDate: cutoff.date, cutoffReason: cutoff.reason, today, books }),
  };
}

function commonDays(one: Days, other: Days): Days {
  const [, startDate = ''] = [one.startDate, other.startDate].sort();
  const [endDate = ''] = [one.endDate, other.endDate].sort();
  return { startDate, endDate };
}

/** Tests whether the cutoff and the today of both states are the same, so that no later cutoff does anything. */
export function isSameCutoff({ query, atThen }: StateComparison): boolean {
  const [now, then] = [query.selection, atThen.selection];
  return now.cutoffDate === then.cutoffDate && now.today === then.today;
}

/** Returns the plan of a comparison in other groups, whose last step is the later cutoff. */
export function changeOf(
  { company }: ReportContext,
  comparison: StateComparison,
  grouping: Pick<Partial<Grouping>, 'dimensions' | 'measures'>,
): ChangePlan {
  const { query, earlier, atThen } = comparison;
  const { cutoffDate, today } = query.selection;
  return {
    plan: planSummary(regroup(atThen, grouping), company),
    earlier: stateSource(
      { seesRates: query.selection.seesRates, contracts: earlier.company.contracts },
      earlier.catalog,
    ),
    thenCalendar: earlier.company,
    day: atThen.selection.today,
    later: isSameCutoff(comparison) ? undefined : { cutoffDate, today },
  };
}

/** Describes the earlier state of comparisons in the metadata, or the closings with their days. */
export function describeEarlier(
  { isByClosing }: ComparedWindow,
  comparisons: readonly StateComparison[],
): ComparedMeta | ComparedClosings {
  const closings = comparisons.map(({ earlier, atThen, query: { selection } }) => ({
    ...describeState(earlier.company, atThen),
    start_date: selection.startDate,
    end_date: selection.endDate,
  }));
  const [first] = closings;
  if (isByClosing || !first) return { state: 'closings', closings };
  const { start_date: _, end_date: __, ...state } = first;
  return state;
}

export function describeLater({ company }: ReportContext, query: Query): ComparedMeta {
  return describeState(company, query);
}

function describeState({ asOf, dataVersion }: Company, { selection, grouping }: Query): ComparedMeta {
  const { catalogue, cutoffDate, today } = selection;
  return {
    ...(asOf ? describeAsOf(asOf, catalogue, grouping.measures) : { state: 'now' }),
    ...(asOf?.label !== undefined && { label: asOf.label }),
    data_version: dataVersion,
    day: today,
    cutoff_date: cutoffDate,
  };
}

/** Returns the error of a measure that is no sum of lines: its values on the days of several closings don't add up. */
export function notOverClosings(field: string, { name }: Measure): AppError {
  const message = `${field}: ${name} is no sum of lines, so it doesn't add up over the days of several closings`;
  return new AppError('usage', message, {
    fields: [{ field, message }],
    hint: 'Give a sum of lines, or the name of one state as from.',
  });
}

/** Returns sentences about days that are left out. */
export function noteLeft({ left }: ComparedWindow): string[] {
  if (left.length === 0) return [];
  const spans = left.map(({ startDate, endDate }) =>
    startDate === endDate ? startDate : `${startDate} to ${endDate}`,
  );
  return [`Days without a closing are left out: ${spans.join(', ')}.`];
}
