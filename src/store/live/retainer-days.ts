import { FIRST_DATE, moveDay } from '../../base/calendar/index.ts';
import type { Row } from '../record/node.ts';
import type { Change } from '../record/storage/changes.ts';
import { differingFields } from './dated-ways.ts';

/** Returns the first day on which a change of a retainer moves what it earns; undefined if it moves nothing. */
export function firstMovedDay({ before, after }: Change): string | undefined {
  const start = earliest([before, after].flatMap((row) => (row ? [String(row['start_date'])] : [])));
  if (!before || !after) return start;
  const fields = differingFields(before, after);
  if (fields.length === 0) return undefined;
  if (fields.every((field) => field === 'end_date')) {
    const last = earliest([before, after].flatMap((row) => (row['end_date'] ? [String(row['end_date'])] : [])));
    return last && moveDay(last, 'day', 1);
  }
  return fields.every((field) => field === 'amounts') ? firstOtherAmount(before, after) : start;
}

/** Returns the day from which the amounts of a retainer differ. */
function firstOtherAmount(before: Row, after: Row): string | undefined {
  const [were, are] = [before, after].map((row) =>
    ((row['amounts'] ?? []) as Row[]).map((entry) => JSON.stringify(entry)),
  );
  const others = [
    ...(were ?? []).filter((entry) => !are?.includes(entry)),
    ...(are ?? []).filter((entry) => !were?.includes(entry)),
  ];
  return earliest(
    others.map((entry) => (JSON.parse(entry) as { effective_date: string | null }).effective_date ?? FIRST_DATE),
  );
}

function earliest(days: readonly string[]): string | undefined {
  return days.toSorted()[0];
}
