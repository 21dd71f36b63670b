import { findResource } from '../../../records/resource/index.ts';
import { fieldFault, type Sent } from '../body.ts';
import { isAnyOf } from '../filters.ts';
import type { Row } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';
import { choosePeople, concernsAny, describePeople, onlyPerson, PEOPLE_NAMES } from './assigned.ts';
import type { Rules } from './rules.ts';
import { windowFilters } from './window.ts';

const resource = findResource('timeoffs');

/** Without the flag, a time off without hours lasts full days (D4). */
const IS_FULL_DAY = 'COALESCE(full_day, hours IS NULL)';

export const timeoffRules: Rules = {
  complete: async (transaction, sent, before) => ({
    ...sent.values,
    ...choosePeople(sent, before),
    ...chooseFullDay(sent, before),
    ...(await chooseTypeName(transaction, sent)),
  }),
  present: {
    names: [...PEOPLE_NAMES, 'full_day'],
    read: async (_reader, rows) => rows.map((row) => ({ ...describePeople(row), full_day: isFullDay(row) ? 1 : 0 })),
    absent: ['people_id'],
  },
  sorts: { people_id: onlyPerson(resource), full_day: IS_FULL_DAY },
  filters: {
    ...windowFilters(resource, 'time off'),
    people_id: (text) => concernsAny(resource, text),
    people_ids: (text) => concernsAny(resource, text),
    full_day: (text) => isAnyOf(IS_FULL_DAY, { type: 'boolean' }, text),
  },
};

/**
 * Sets the full-day flag; hours sent without it determine it again.
 * @throws AppError input for a partial day without hours.
 */
function chooseFullDay({ values }: Sent, before: Row | undefined): Row {
  const hours = values['hours'] === undefined ? (before?.['hours'] ?? null) : values['hours'];
  const flag = values['full_day'] ?? (values['hours'] === undefined ? (before?.['full_day'] ?? null) : null);
  const full_day = isFullDay({ full_day: flag, hours });
  if (!full_day && hours === null) throw fieldFault('hours', 'missing, although the time off is not for full days');
  return { full_day };
}

function isFullDay({ full_day, hours }: Row): boolean {
  return typeof full_day === 'boolean' ? full_day : (hours ?? null) === null;
}

/** Returns the name of the type; the check of references reports an unknown type. */
async function chooseTypeName(transaction: Transaction, { values }: Sent): Promise<Row> {
  const id = values['timeoff_type_id'];
  if (id === undefined) return {};
  const [type] = await transaction.rows<{ name: string | null }>(
    `SELECT timeoff_type_name AS name FROM source.timeoff_types WHERE timeoff_type_id = ${id}`,
  );
  return { timeoff_type_name: type?.name ?? null };
}
