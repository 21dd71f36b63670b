import { formatForeign } from '../../foreign-text.ts';
import type { ControlTotals } from '../../ingest/controls/file-totals.ts';

/** The longest name of an unknown field or a file that is shown. Unit: characters. */
export const MAX_NAME_CHARACTERS = 100;

/** The most conditions of a file that are listed. Unit: conditions. */
const MAX_LISTED_CONDITIONS = 5;

export function formatControl(totals: ControlTotals): string {
  const { file, resource, read, records, setAside, duplicates, hours, billableHours, fees, cost, ...rest } = totals;
  const { firstDay, lastDay, people, projects } = rest;
  return [
    `${formatForeign(file, MAX_NAME_CHARACTERS)}: ${resource}: ${records} records${read === records ? '' : ` of ${read}`}`,
    ...(setAside === 0 ? [] : [`${setAside} set aside`]),
    ...(duplicates === 0 ? [] : [`${duplicates} in another file, too`]),
    ...formatLeftOut(totals),
    ...(hours === null ? [] : [`${hours} h`]),
    ...(billableHours === null ? [] : [`${billableHours} h of them billable`]),
    ...(fees === null ? [] : [`fees of ${fees}`]),
    ...(cost === null ? [] : [`a cost of ${cost}`]),
    ...(firstDay === null ? [] : [`${firstDay} to ${lastDay}`]),
    ...(people === null ? [] : [`${people} people`]),
    ...(projects === null ? [] : [`${projects} projects`]),
    ...formatOwn(totals),
  ].join(', ');
}

/** Formats how many rows are no records, and why. */
function formatLeftOut({ leftOut }: ControlTotals): string[] {
  const rows = leftOut.reduce((sum, each) => sum + each.rows, 0);
  if (rows === 0) return [];
  const listed = leftOut.slice(0, MAX_LISTED_CONDITIONS).map((each) => {
    return `${each.rows} because ${formatForeign(each.condition, MAX_NAME_CHARACTERS)}`;
  });
  return [`${rows} ${rows === 1 ? 'row' : 'rows'} left out (${listed.join('; ')})`];
}

function formatOwn({ own }: ControlTotals): string[] {
  return own.map(({ name, place, column, total }) => {
    const where = `${place === 'row' ? 'total row' : 'column'}, ${formatForeign(column, MAX_NAME_CHARACTERS)}`;
    return `its own ${name} ${total} (${where})`;
  });
}
