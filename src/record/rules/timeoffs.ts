import { fieldFault, type Sent } from '../body.ts';
import { isAnyOf } from '../filters.ts';
import type { Row } from '../node.ts';
import { findShape } from '../shape.ts';
import type { Transaction } from '../storage/transaction.ts';
import { choosePeople, concernsAny, describePeople, onlyPerson, PEOPLE_NAMES } from './assigned.ts';
import type { Rules } from './rules.ts';
import { windowFilters } from './window.ts';

const shape = findShape('timeoffs');

/** Without the flag, a time off is of full days if it names no hours (D4). */
const IS_FULL_DAY = 'COALESCE(full_day, hours IS NULL)';

/** Time that people are away. */
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
  },
  sorts: { people_id: onlyPerson(shape), full_day: IS_FULL_DAY },
  filters: {
    ...windowFilters(shape, 'time off'),
    people_id: (text) => concernsAny(shape, text),
    people_ids: (text) => concernsAny(shape, text),
    full_day: (text) => isAnyOf(IS_FULL_DAY, { type: 'boolean' }, text),
  },
};

/** Hours that are sent by themselves say anew whether the days are full. @throws AppError input for a part of a day of no hours. */
function chooseFullDay({ values }: Sent, before: Row | undefined): Row {
  const hours = values['hours'] === undefined ? (before?.['hours'] ?? null) : values['hours'];
  const flag = values['full_day'] ?? (values['hours'] === undefined ? (before?.['full_day'] ?? null) : null);
  const full_day = isFullDay({ full_day: flag, hours });
  if (!full_day && hours === null) throw fieldFault('hours', 'missing, for a time off that is not of full days');
  return { full_day };
}

function isFullDay({ full_day, hours }: Row): boolean {
  return typeof full_day === 'boolean' ? full_day : (hours ?? null) === null;
}

/** The name that a time off's type has. One that there isn't is found when references are judged. */
async function chooseTypeName(transaction: Transaction, { values }: Sent): Promise<Row> {
  const id = values['timeoff_type_id'];
  if (id === undefined) return {};
  const [type] = await transaction.rows<{ name: string | null }>(
    `SELECT timeoff_type_name AS name FROM source.timeoff_types WHERE timeoff_type_id = ${id}`,
  );
  return { timeoff_type_name: type?.name ?? null };
}
