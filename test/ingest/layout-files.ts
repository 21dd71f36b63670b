import { moveDay } from '../../src/base/calendar/day.ts';
import type { ColumnMeaning } from '../../src/records/ingest/sample/column-meanings.ts';
import type { ExportLayout, Layout } from '../../src/records/ingest/sample/layouts.ts';

/*
 * A writer of exports in any layout: it takes the columns from the layout itself, and the forms of values from the tables below.
 */

/** A piece of work, an expense, a project or time off: each layout takes what it has columns for. */
export interface Work {
  readonly person: string;
  readonly client: string;
  readonly project: string;
  readonly task: string;
  readonly notes: string;
  readonly day: string;
  /** Unit: minutes of the day. */
  readonly start: number;
  /** A multiple of 3, so that two decimals are exact. */
  readonly minutes: number;
  readonly days: number;
  readonly isBillable: boolean;
  /** Unit: cents. */
  readonly amount: number;
}

/** The forms of the values in a file, and how its text becomes bytes. */
export interface FileForms {
  readonly day: keyof typeof DAYS;
  readonly hours: keyof typeof HOURS;
  readonly decimal: '.' | ',';
  readonly delimiter: ',' | ';' | '\t';
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly encoding: keyof typeof ENCODINGS;
  readonly quotes: 'always' | 'needed';
  /** The language of headers with several names. */
  readonly language: number;
}

const two = (number: number) => String(number).padStart(2, '0');
const partsOf = (day: string) => day.split('-') as [string, string, string];

/** The forms of days. */
export const DAYS = {
  iso: (day: string) => day,
  us: (day: string) => (([year, month, date]) => `${month}/${date}/${year}`)(partsOf(day)),
  european: (day: string) => (([year, month, date]) => `${Number(date)}/${Number(month)}/${year}`)(partsOf(day)),
  dotted: (day: string) => (([year, month, date]) => `${date}.${month}.${year}`)(partsOf(day)),
  short: (day: string) => (([year, month, date]) => `${Number(month)}/${Number(date)}/${year.slice(2)}`)(partsOf(day)),
};

/** The forms of hours, from minutes. */
export const HOURS = {
  decimal: (minutes: number) => (minutes / 60).toFixed(2),
  clock: (minutes: number) => `${Math.floor(minutes / 60)}:${two(minutes % 60)}`,
  seconds: (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`,
  units: (minutes: number) => `${Math.floor(minutes / 60)}h ${minutes % 60}m`,
};

/** The encodings, from text. */
export const ENCODINGS = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-8 with a mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'UTF-16': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'Windows-1252': (text: string) => Buffer.from(text, 'latin1'),
};

/** Tells whether Windows-1252 and Latin-1 have the same bytes for a text. */
export const isLatin = (text: string) => /^[\r\n\t -~\u00a0-\u00ff]*$/.test(text);

/** The rate of a person: the same in every row. Unit: whole money. */
export const rateOf = (person: string) => 50 + [...person].length;

type WriteValue = (work: Work, forms: FileForms, header: string) => string;

const lastWord = (text: string) => text.slice(text.lastIndexOf(' ') + 1);
const timeOf = (minutes: number) => `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
const endOf = ({ day, start, minutes }: Work) => (start + minutes >= 1440 ? moveDay(day, 'day', 1) : day);
const number = (value: number, { decimal }: FileForms) => value.toFixed(2).replace('.', decimal);

const hoursOf: WriteValue = ({ minutes }, forms, header) => {
  if (/minutes/i.test(header)) return String(minutes);
  if (/decimal|dezimal/i.test(header)) return number(minutes / 60, forms);
  if (header === 'Units') return `${minutes / 60} hours`.replace('.', forms.decimal);
  return HOURS[forms.hours](minutes).replace('.', forms.decimal);
};

/** The values of columns by their meaning; one that isn't here is blank. */
const VALUES: Partial<Record<ColumnMeaning, WriteValue>> = {
  person: ({ person }) => person,
  first_name: ({ person }) => person.slice(0, person.lastIndexOf(' ')),
  last_name: ({ person }) => lastWord(person),
  client: ({ client }) => client,
  project: ({ project }) => project,
  task: ({ task }) => task,
  notes: ({ notes }) => notes,
  date: ({ day }, forms) => DAYS[forms.day](day),
  start_date: ({ day }, forms) => DAYS[forms.day](day),
  end_date: (work, forms) => DAYS[forms.day](work.days > 0 ? lastDayOf(work) : endOf(work)),
  start_time: ({ start }) => timeOf(start),
  end_time: ({ start, minutes }) => timeOf(start + minutes),
  hours: hoursOf,
  billable_time: (work, forms, header) => (work.isBillable ? hoursOf(work, forms, header) : ''),
  other_time: (work, forms, header) => (work.isBillable ? '' : hoursOf(work, forms, header)),
  billable: ({ isBillable }) => (isBillable ? 'Yes' : 'No'),
  bill_rate: ({ person, isBillable }, forms) => number(isBillable ? rateOf(person) : 0, forms),
  cost_rate: ({ person }, forms) => number(rateOf(person) / 2, forms),
  amount: ({ amount }, forms) => number(amount / 100, forms),
  day_hours: ({ minutes }, forms, header) =>
    header === 'allocation' ? String(minutes * 60) : number(minutes / 60, forms),
  total_hours: ({ minutes, days }, forms) => number((minutes / 60) * days, forms),
  category: () => 'Travel',
  leave_type: () => 'Vacation',
  status: () => 'Confirmed',
  budget: ({ minutes }, forms) => number(minutes / 60, forms),
  budget_by: () => 'Hours',
};

/** Returns the last day of work on several days, which begin on a Monday. */
export function lastDayOf({ day, days }: Work): string {
  return moveDay(day, 'day', days - 1);
}

/** Writes a file in a layout, with rows of its parts: the work of each by the place of the part. */
export function writeLayout(layout: ExportLayout, parts: readonly (readonly Work[])[], forms: FileForms): Buffer {
  const nameOf = (names: readonly string[]) => (names[forms.language % names.length] ?? '').replace('*', 'EUR');
  const headers = [
    ...new Set([...layout.headers, ...layout.parts.flatMap(({ columns }) => Object.values(columns))].map(nameOf)),
  ];
  const rows = layout.parts.flatMap((part, at) =>
    (parts[at] ?? []).map((work) => headers.map((header) => cellOf(part, work, forms, header, nameOf))),
  );
  if (layout.files.some((pattern) => pattern.endsWith('.json'))) return Buffer.from(formatJson(headers, rows));
  const { delimiter, lineEnd, encoding, quotes } = forms;
  const isQuoted = (text: string) => quotes === 'always' || text.includes(delimiter) || /["\r\n]/.test(text);
  const quote = (text: string) => (isQuoted(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [headers, ...rows].map((cells) => cells.map(quote).join(delimiter) + lineEnd);
  const text = lines.join('');
  return ENCODINGS[encoding === 'Windows-1252' && !isLatin(text) ? 'UTF-8' : encoding](text);
}

function cellOf(
  { columns, rows }: Layout,
  work: Work,
  forms: FileForms,
  header: string,
  nameOf: (names: readonly string[]) => string,
): string {
  const own = (Object.keys(columns) as ColumnMeaning[]).filter((key) => nameOf(columns[key] ?? []) === header);
  // A day and a time in one column are a moment.
  const meanings = own.sort((a, b) => Number(/time/.test(a)) - Number(/time/.test(b)));
  const [first] = rows?.where.find(({ column }) => column === header)?.texts ?? [];
  if (first !== undefined) return first.replace('*', 'Vacation');
  const texts = meanings.flatMap((meaning) => VALUES[meaning]?.(work, forms, header) ?? []);
  return [...new Set(texts)].slice(0, 2).join(' ');
}

/** Formats rows as records whose members are nested by the dots of their headers. */
function formatJson(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const parseCell = (text: string) =>
    ({ Yes: true, No: false })[text] ?? (/^[0-9]+([.][0-9]+)?$/.test(text) ? Number(text) : text);
  const records = rows.map((cells) => {
    const record: Record<string, unknown> = {};
    for (const [at, header] of headers.entries()) {
      const [outer = '', inner] = header.split('.');
      if (inner === undefined) record[outer] = parseCell(cells[at] ?? '');
      else record[outer] = { ...(record[outer] as object), [inner]: parseCell(cells[at] ?? '') };
    }
    return record;
  });
  return JSON.stringify({ time_entries: records });
}
