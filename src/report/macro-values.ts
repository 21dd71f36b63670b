import { quoteName, quoteText } from '../database/database.ts';
import { FIRST_DATE, LAST_DATE } from '../resource/field.ts';
import type { Parameter } from './catalogue.ts';
import { allowedValues, itemPattern } from './parameters.ts';

/** Parameters that every call of a macro must give. */
const REQUIRED: ReadonlySet<string> = new Set(['start_date', 'end_date']);

export function declareParameter({ name }: Parameter): string {
  return REQUIRED.has(name) ? name : `${quoteName(name)} := NULL`;
}

/**
 * Returns the SQL of a parameter's value as query-string text, with its default.
 * A value that a query string couldn't have raises an error at bind time, before any row is read.
 * @param sent The SQL of the sent value. Default: the parameter itself.
 */
export function checkedValue(parameter: Parameter, sent = quoteName(parameter.name)): string {
  const { name, type, default: standard } = parameter;
  const text = `pl_item_text(${sent})`;
  const refuse = (condition: string, reason: string) =>
    `WHEN ${condition} THEN error(${quoteText(`${name}: "`)} || ${text} || ${quoteText(`" ${reason}`)})`;
  const faults = [
    ...(REQUIRED.has(name)
      ? [`WHEN ${text} IS NULL THEN error(${quoteText(`${name} is missing; give ${allowedValues(parameter)}`)})`]
      : []),
    refuse(
      `NOT pl_has_plain_items(${sent})`,
      'has an item that is empty, NULL or has a comma; give a list without such items',
    ),
    refuse(`NOT (${isRight(parameter, text)})`, `is not allowed; give ${allowedValues(parameter)}`),
    ...(type === 'date'
      ? [
          refuse(
            `${text} NOT BETWEEN '${FIRST_DATE}' AND '${LAST_DATE}'`,
            `is out of range; give a day from ${FIRST_DATE} to ${LAST_DATE}`,
          ),
        ]
      : []),
    ...(name === 'end_date'
      ? [refuse(`${text} < pl_item_text(start_date)`, 'is before start_date; give a later end or an earlier start')]
      : []),
  ];
  return `CASE ${faults.join(' ')} ELSE COALESCE(${text}, ${standard === undefined ? 'NULL' : quoteText(standard)}) END`;
}

function isRight(parameter: Parameter, text: string): string {
  if (parameter.type === 'date')
    return `regexp_full_match(${text}, '\\d{4}-\\d{2}-\\d{2}') AND TRY_CAST(${text} AS DATE) IS NOT NULL`;
  const item = `(${itemPattern(parameter)})`;
  const pattern = parameter.type === 'list' ? `${item}(,${item})*` : item;
  return `regexp_full_match(${text}, ${quoteText(pattern)})`;
}
