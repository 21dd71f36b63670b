import { formatForeign, formatReadable } from '../../../base/index.ts';
import type { ControlTotals } from '../../../records/ingest/index.ts';

/** The longest name of an unknown field or a file that is shown. Unit: characters. */
export const MAX_NAME_CHARACTERS = 100;

/** The most conditions of a file that are listed. Unit: conditions. */
const MAX_LISTED_CONDITIONS = 5;

export function formatControl(totals: ControlTotals): string {
  const { file, resource, read, records, setAside, duplicates, hours, billableHours, fees, cost, ...rest } = totals;
  const { firstDay, lastDay, people, projects, sums } = rest;
  return [
    `${formatForeign(file, MAX_NAME_CHARACTERS)}: ${resource}: ${records} ${sums ? 'rows' : 'records'}${read === records ? '' : ` of ${read}`}`,
    ...(setAside === 0 ? [] : [`${setAside} set aside`]),
    ...(duplicates === 0 ? [] : [`${duplicates} in another file, too, or replaced by it`]),
    ...formatLeftOut(totals),
    ...(hours === null ? [] : [`${formatReadable(hours, 'hours', 2)} h`]),
    ...(billableHours === null ? [] : [`${formatReadable(billableHours, 'hours', 2)} h of them billable`]),
    ...(fees === null ? [] : [`fees of ${formatReadable(fees, 'money', 2)}`]),
    ...(cost === null ? [] : [`a cost of ${formatReadable(cost, 'money', 2)}`]),
    ...(firstDay === null ? [] : [`${firstDay} to ${lastDay}`]),
    ...(people === null ? [] : [`${people} people`]),
    ...(projects === null ? [] : [`${projects} projects`]),
    ...formatSums(totals),
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

/** Formats the sums of rates and amounts, to compare with those of the file. */
function formatSums({ sums = [] }: ControlTotals): string[] {
  return sums.map(({ field, total, setAside }) => {
    const lost = /[1-9]/.test(setAside) ? `, ${formatReadable(setAside, 'rate', 2)} of it in rows set aside` : '';
    return `${field} adds up to ${formatReadable(total, 'rate', 2)}${lost}`;
  });
}

function formatOwn({ own }: ControlTotals): string[] {
  return own.map(({ name, place, column, total }) => {
    const where = `${place === 'row' ? 'total row' : 'column'}, ${formatForeign(column, MAX_NAME_CHARACTERS)}`;
    return `its own ${name} ${total} (${where})`;
  });
}
