import { FIRST_DATE, LAST_DATE } from '../../../base/calendar/index.ts';
import { quoteName, quoteText } from '../../../base/database/index.ts';
import type { Parameter } from '../catalogue/catalogue.ts';
import { MISSING, readItem, splitItems } from '../catalogue/list-item.ts';
import { allowedValues, itemPattern } from '../catalogue/parameters.ts';
import { isListSql, readItemSql, splitItemsSql } from './list-item-sql.ts';

/** Parameters that every call of a macro must give. */
const REQUIRED: ReadonlySet<string> = new Set(['start_date', 'end_date']);

export function declareParameter({ name }: Parameter): string {
  return REQUIRED.has(name) ? name : `${quoteName(name)} := NULL`;
}

/**
 * Returns SQL of the literal of a parameter's value, as a text.
 * A list is a list of what its items stand for, NULL for `none`; everything else is a text.
 * A value that a query string couldn't have raises an error at bind time, before any row is read.
 * @param sent The SQL of the sent value. Default: the parameter itself.
 * @param standard The SQL of the literal without a value. Default: that of the parameter's default.
 */
export function checkedLiteral(
  parameter: Parameter,
  sent = quoteName(parameter.name),
  standard = quoteText(defaultLiteral(parameter)),
): string {
  const { name, type } = parameter;
  const missing = `error(${quoteText(`${name} is missing; give ${allowedValues(parameter)}`)})`;
  const refuse = (condition: string, reason: string) =>
    `WHEN ${condition} THEN error(${quoteText(`${name}: "`)} || sent_['text'] || ${quoteText(`" ${reason}`)})`;
  const faults = [
    refuse(`NOT (${isRight(parameter)})`, `is not allowed; give ${allowedValues(parameter)}`),
    ...(type === 'date'
      ? [
          refuse(
            `sent_['text'] NOT BETWEEN '${FIRST_DATE}' AND '${LAST_DATE}'`,
            `is out of range; give a day from ${FIRST_DATE} to ${LAST_DATE}`,
          ),
        ]
      : []),
    ...(name === 'end_date'
      ? [
          refuse(
            `sent_['text'] < ${textOf('start_date')}`,
            'is before start_date; give a later end or an earlier start',
          ),
        ]
      : []),
  ];
  const literal = type === 'list' ? listLiteralSql("sent_['items']") : literalSql("sent_['text']");
  // The lambda computes the text and the items once, as the only item of a list.
  return `CASE WHEN ${sent} IS NULL THEN ${REQUIRED.has(name) ? missing : standard}
  ELSE list_transform([{text: ${textOf(sent)}, items: ${splitItemsSql(sent)}}],
    lambda sent_: CASE ${faults.join(' ')} ELSE ${literal} END)[1] END`;
}

/** Returns the SQL of a value as text, with commas between the items of a list. */
function textOf(sent: string): string {
  const items = `list_transform(CAST(${sent} AS VARCHAR[]), lambda item_: COALESCE(item_, 'NULL'))`;
  return `CASE WHEN ${isListSql(sent)} THEN array_to_string(${items}, ',') ELSE CAST(${sent} AS VARCHAR) END`;
}

function isRight(parameter: Parameter): string {
  if (parameter.type === 'date')
    return `regexp_full_match(sent_['text'], '\\d{4}-\\d{2}-\\d{2}') AND TRY_CAST(sent_['text'] AS DATE) IS NOT NULL`;
  const pattern = quoteText(itemPattern(parameter));
  if (parameter.type !== 'list') return `regexp_full_match(sent_['text'], ${pattern})`;
  const right = `list_filter(sent_['items'], lambda item_: regexp_full_match(item_, ${pattern}))`;
  return `len(sent_['items']) > 0 AND len(${right}) = len(sent_['items'])`;
}

/** Returns SQL of the literal of a text, as a text. U+0000 would end the statement. */
function literalSql(text: string): string {
  return `'''' || replace(replace(${text}, '''', ''''''), chr(0), ''' || chr(0) || ''') || ''''`;
}

function listLiteralSql(items: string): string {
  const literals = `list_transform(${items}, lambda item_: COALESCE(${literalSql(readItemSql('item_'))}, 'NULL'))`;
  return `'CAST([' || array_to_string(${literals}, ', ') || '] AS VARCHAR[])'`;
}

/** Returns the literal of a parameter that isn't given. */
function defaultLiteral({ type, default: standard }: Parameter): string {
  if (type !== 'list') return standard === undefined ? 'NULL' : quoteText(standard);
  if (standard === undefined) return 'CAST(NULL AS VARCHAR[])';
  const literals = splitItems(standard).map((item) => (item === MISSING ? 'NULL' : quoteText(readItem(item))));
  return `CAST([${literals.join(', ')}] AS VARCHAR[])`;
}
