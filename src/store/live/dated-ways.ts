import { type Days, moveDay } from '../../base/calendar/index.ts';
import type { Row } from '../record/node.ts';
import type { Change, Writer } from '../record/storage/changes.ts';

/*
 * The ways to write what work is billed or costs at from a day on, so that closed days stay as they are.
 */

/** Lists that price work, besides those of teams: a change of nothing else has a day. */
const PRICES = [
  'default_hourly_rate',
  'bill_rate_history',
  'project_team_rates',
  'phase_team_rates',
  'rate_cards',
  'rates',
];

/** The way to write changed records so that closed days stay as they are: with a day, which a field or a list takes. */
export type DatedWay = 'effective_date' | 'bill_rate_history';

/** Lists of members of teams, who have rates without a day. */
const TEAMS = ['project_team', 'phase_team'];

/** Returns whether changes are of what work is billed at, and of nothing else. */
export function arePrices(changes: readonly Change[]): boolean {
  return changes.length > 0 && changes.every((change) => isPriceChange(change, isTeamRate));
}

/** Returns whether a list of members differs by their rates alone. */
function isTeamRate(name: string, before: Row, after: Row): boolean {
  const unrated = (row: Row) =>
    JSON.stringify(((row[name] ?? []) as Row[]).map((member) => ({ ...member, hourly_rate: null })));
  return TEAMS.includes(name) && unrated(before) === unrated(after);
}

function isPriceChange({ before, after }: Change, isPrice: typeof isTeamRate = () => false): boolean {
  if (!before || !after) return false;
  const fields = differingFields(before, after);
  return fields.length > 0 && fields.every((field) => PRICES.includes(field) || isPrice(field, before, after));
}

/** Returns the way in which the changed records can be given a day, if there is one. */
export function findDatedWay(
  changes: readonly Change[],
  { hasNoDay = false }: Pick<Writer, 'hasNoDay'> = {},
): DatedWay | undefined {
  if (hasNoDay) return undefined;
  const ways = changes.map((change): DatedWay | undefined => {
    const isPrice = isPriceChange(change);
    if (change.resource.name === 'people') return isPrice ? 'bill_rate_history' : 'effective_date';
    return isPrice ? 'effective_date' : undefined;
  });
  if (ways.includes(undefined)) return undefined;
  return ways.includes('bill_rate_history') ? 'bill_rate_history' : 'effective_date';
}

/** Returns the fields in which a record differs from what it was. An empty list is none. */
export function differingFields(before: Row, after: Row): string[] {
  const textOf = (value: unknown) =>
    JSON.stringify(Array.isArray(value) && value.length === 0 ? null : (value ?? null));
  return Object.keys(after).filter((name) => name !== 'modified' && textOf(before[name]) !== textOf(after[name]));
}

/** The beginnings of the words for the ways to write from a day on. */
const WAYS: Readonly<Record<DatedWay, string>> = {
  effective_date: 'give an effective_date',
  bill_rate_history: 'add the rate to bill_rate_history with an effective_date',
};

/** Says how to write records so that days stay as they are: from the first day after all of them on. */
export function sayDatedWay(way: DatedWay | undefined, closed: readonly Days[]): string {
  const last = closed
    .map(({ endDate }) => endDate)
    .sort()
    .at(-1);
  return way === undefined || last === undefined ? '' : `${WAYS[way]} from ${moveDay(last, 'day', 1)} on, or `;
}
