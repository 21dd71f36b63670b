import { dayIn } from '../../../base/calendar/index.ts';
import { isObject } from '../../../base/index.ts';
import type { Items, Resource } from '../../../records/resource/index.ts';
import { fieldFault, parseList, type Sent } from '../body.ts';
import { describeValue, type Row } from '../node.ts';
import { parseValue } from '../value.ts';
import { parseDates } from './dates.ts';
import type { Present } from './rules.ts';

/** The list of the dated bill rates of a record, beside the field that holds before the first of them. */
export const BILL_RATES = 'bill_rate_history';

/** The fields of a body that these rules read. */
export const BILL_RATE_FIELDS = [BILL_RATES, 'effective_date'];

const RATE = 'default_hourly_rate';

/**
 * Applies a body to the bill rates of a role, a project or a phase: default_hourly_rate with effective_date is the entry of that day,
 * and without it the one without a day.
 * @throws AppError input.
 */
export function completeBillRates(resource: Resource, { values, body }: Sent, before: Row | undefined): Row {
  const listed = completeRates(resource, { values, body }, before);
  const parsed = parseValue({ type: 'date' }, body['effective_date']);
  if (!('value' in parsed)) throw fieldFault('effective_date', parsed.fault);
  const { [RATE]: rate, ...others } = values;
  const day = parsed.value;
  if (day === null) return { ...values, ...listed };
  if (rate === undefined)
    throw fieldFault('effective_date', `it is the first day of ${RATE}; send that too, or ${BILL_RATES}`);
  const entries = (listed[BILL_RATES] ?? before?.[BILL_RATES] ?? []) as Row[];
  const items = resource.lists[BILL_RATES] as Items;
  return { ...others, [BILL_RATES]: addRates(items, BILL_RATES, entries, [{ rate, effective_date: day }]) };
}

/**
 * Applies a list, which replaces the dated bill rates, or {add, del}, which changes them by day.
 * @throws AppError input.
 */
export function completeRates({ lists }: Resource, { body }: Sent, before: Row | undefined): Row {
  const items = lists[BILL_RATES] as Items;
  const rates = changeRates(items, BILL_RATES, (before?.[BILL_RATES] ?? []) as Row[], body[BILL_RATES]);
  return rates === undefined ? {} : { [BILL_RATES]: rates };
}

/** Returns the rates that a list, or {add, del}, leaves; undefined if nothing is sent. @throws AppError input. */
export function changeRates(items: Items, field: string, rates: readonly Row[], sent: unknown): Row[] | undefined {
  if (sent === undefined) return undefined;
  if (!isObject(sent)) return parseRates(items, field, sent);
  const unknown = Object.keys(sent).find((name) => !['add', 'del'].includes(name));
  if (unknown !== undefined) throw fieldFault(field, `${unknown} is not one of add, del`);
  const gone = parseDates(field, sent['del']);
  const strange = gone.find((day) => !rates.some((entry) => entry['effective_date'] === day));
  if (strange === null) throw fieldFault(field, 'del: the rate without a day is a field of its own');
  if (strange !== undefined) throw fieldFault(field, `there is no rate from ${strange}`);
  const left = rates.filter((entry) => !gone.includes(entry['effective_date'] as string));
  return addRates(items, field, left, parseRates(items, `${field}.add`, sent['add'] ?? []));
}

function parseRates(items: Items, field: string, sent: unknown): Row[] {
  const parsed = parseList(items, sent);
  if ('value' in parsed) return parsed.value as Row[];
  throw fieldFault(field, parsed.fault);
}

/** Adds entries, which replace those of their days. @throws AppError input for too many. */
function addRates(
  { most = Number.POSITIVE_INFINITY }: Items,
  field: string,
  rates: readonly Row[],
  added: Row[],
): Row[] {
  const dayOf = (entry: Row) => String(entry['effective_date']);
  const kept = rates.filter((entry) => !added.some((other) => dayOf(other) === dayOf(entry)));
  const all = [...kept, ...added].sort((one, other) => dayOf(one).localeCompare(dayOf(other)));
  if (all.length > most) throw fieldFault(field, `more than ${most} entries`);
  return all;
}

/** Presents the bill rate of today: that of the latest entry in effect, of two with one date the later in the list. */
export const presentCurrentRate: Present = async (reader, records) => {
  const [settings] = await reader.rows<{ time_zone: string }>('SELECT time_zone FROM core.settings');
  const today = dayIn(settings?.time_zone ?? 'UTC', new Date());
  return records.map((record) => {
    const begun = ((record[BILL_RATES] ?? []) as Row[]).filter((entry) => String(entry['effective_date']) <= today);
    const latest = begun.reduce<Row | undefined>(
      (found, entry) => (found && String(found['effective_date']) > String(entry['effective_date']) ? found : entry),
      undefined,
    );
    const rate = latest ? latest['rate'] : record[RATE];
    return { current_hourly_rate: describeValue({ type: 'rate' }, rate ?? null) };
  });
};

/** Presents what several presentations do. */
export function presentAll(...presents: readonly Present[]): Present {
  return async (reader, records, seesRates) => {
    const rows = records.map(() => ({}));
    for (const present of presents) {
      const found = await present(reader, records, seesRates);
      for (const [index, row] of rows.entries()) Object.assign(row, found[index]);
    }
    return rows;
  };
}
