import { daysBetween, monthNamed } from '../../../base/calendar/index.ts';
import type { SampleTable } from '../sample/sample-table.ts';

/** A table whose columns are days or weeks. */
export interface Matrix {
  /** As YAML. */
  readonly unpivot: string;
  readonly period: 'day' | 'week';
  /** The headers of the columns that are days or weeks. */
  readonly columns: readonly string[];
}

const [DAYS, WEEKS] = [
  { unpivot: 'days', period: 'day' },
  { unpivot: 'weeks', period: 'week' },
] as const;

const WEEK_DAYS = 7;

/** The fewest columns of days that make a table a matrix. */
const FEWEST_DAYS = 3;

/** The fewest days that the columns of a whole month have. */
const MONTH_DAYS = 28;

/** Finds the columns of a table that are days or weeks by their headers. */
export function findMatrix({ sample }: SampleTable): Matrix | undefined {
  const days = sample.headers.filter((header) => /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(header));
  const numbers = new Set(sample.headers.filter((header) => /^([1-9]|[12][0-9]|3[01])$/.test(header)));
  if (days.length >= FEWEST_DAYS) {
    const isWeekly = days.every((day, index) => index === 0 || daysBetween(days[index - 1] ?? day, day) === WEEK_DAYS);
    return { ...(isWeekly ? WEEKS : DAYS), columns: days };
  }
  const month = monthOf(sample);
  if (numbers.size < MONTH_DAYS || month === undefined) return undefined;
  return { unpivot: `{columns: days, month: "${month}"}`, period: 'day', columns: [...numbers] };
}

/** Returns the headers that are months, if a table has several: 2026-3 or 03/2026. */
export function monthHeaders(headers: readonly string[]): string[] {
  const months = headers.filter((header) =>
    /^(?:20[0-9]{2}[-/.](?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])[-/.]20[0-9]{2})$/.test(header),
  );
  return months.length > 1 ? months : [];
}

/** Returns the month that a file, a sheet or the lines above the headers name. */
function monthOf({ file, sheet, above }: SampleTable['sample']): string | undefined {
  const titles = [...above.flat().map(({ text }) => text), sheet ?? '', file];
  for (const title of titles) {
    const [year] = /\b20[0-9]{2}\b/.exec(title) ?? [];
    const month = title
      .split(/[^\p{L}]+/u)
      .map(monthNamed)
      .find((each) => each !== undefined);
    if (year !== undefined && month !== undefined) return `${year}-${String(month).padStart(2, '0')}`;
  }
  return undefined;
}

/** Returns the person whose sheet a table is: the one named above it, or by the sheet. */
export function ownerOf({ sample: { above, sheet } }: SampleTable): string | undefined {
  for (const row of above) {
    const at = row.findIndex(({ text }) =>
      /^(employee|name|person|mitarbeiter(in)?|salarié|medewerker)\s*:?$/i.test(text.trim()),
    );
    const found = at < 0 ? undefined : row.slice(at + 1).find(({ text }) => text.trim() !== '');
    if (found) return found.text.trim();
  }
  return sheet;
}
