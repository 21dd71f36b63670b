import { setImmediate } from 'node:timers/promises';
import type { Value } from '../../base/database/index.ts';
import type { RowProperty } from '../../numbers/condition/index.ts';
import { formatEntityPath } from './key.ts';
import type { RowPage } from './page-plan.ts';
import type { RowQuery } from './row-query.ts';
import type { RowSource } from './row-source.ts';

export interface JsonForm {
  /** The detail in which an answer describes itself. */
  readonly metadata: 'minimal' | 'full' | 'none';
  /** True to write decimals and 64-bit integers as strings: JavaScript and Excel would round them. */
  readonly isCompatible: boolean;
}

export interface RowsContext {
  readonly source: RowSource;
  readonly query: Pick<RowQuery, 'select' | 'isSelected'>;
  readonly form: JsonForm;
  /** The root URL of the service, with a slash at its end. */
  readonly root: string;
}

export const NAMESPACE = 'Plumbline';

/** Rows written before the event loop gets its turn. Unit: rows. */
const ROWS_AT_ONCE = 500;

/** Types that a JSON value shows by itself. */
const PLAIN_TYPES = ['Edm.String', 'Edm.Boolean'];

/** Returns the name of the type of an entity set's or a function's rows. */
export function rowTypeName(name: string): string {
  return `${name}_row`;
}

/** Writes a page of rows. @param nextLink The URL of the next page, if there is one. */
export async function* writeRows(
  context: RowsContext,
  page: RowPage,
  nextLink: string | undefined,
): AsyncIterable<string> {
  const { form } = context;
  const head = [
    ...(form.metadata === 'none' ? [] : [`"@odata.context":${JSON.stringify(contextUrl(context))}`]),
    ...(page.count === undefined ? [] : [`"@odata.count":${form.isCompatible ? `"${page.count}"` : page.count}`]),
  ];
  yield `{${[...head, '"value":['].join(',')}`;
  const format = rowFormatterOf(context, page.keyAt);
  for (let start = 0; start < page.rows.length; start += ROWS_AT_ONCE) {
    const rows = page.rows.slice(start, start + ROWS_AT_ONCE);
    yield `${start === 0 ? '\n' : ',\n'}${rows.map((row) => `{${format(row)}}`).join(',\n')}`;
    await setImmediate();
  }
  yield `\n]${nextLink === undefined ? '' : `,"@odata.nextLink":${JSON.stringify(nextLink)}`}}\n`;
}

export function formatEntity(context: RowsContext, { rows: [row = []], keyAt }: RowPage): string {
  const url = `${contextUrl(context)}/$entity`;
  const head = context.form.metadata === 'none' ? '' : `"@odata.context":${JSON.stringify(url)},`;
  return `{${head}${rowFormatterOf(context, keyAt)(row)}}\n`;
}

function contextUrl({ source, query, root }: RowsContext): string {
  const of = source.key.length > 0 ? source.name : `Collection(${NAMESPACE}.${rowTypeName(source.name)})`;
  const selected = query.isSelected ? `(${query.select.map(({ name }) => name).join(',')})` : '';
  return `${root}$metadata#${of}${selected}`;
}

function rowFormatterOf(
  { source, query: { select }, form, root }: RowsContext,
  keyAt: RowPage['keyAt'],
): (row: readonly Value[]) => string {
  const { metadata, isCompatible } = form;
  const isFull = metadata === 'full';
  const fields = select.map((property, index) => {
    const name = JSON.stringify(property.name);
    const type = isFull && !PLAIN_TYPES.includes(property.type) ? typeNote(property) : '';
    const prefix = `${index === 0 ? '' : ','}${type}${name}:`;
    const format = cellFormatter(property, isCompatible);
    return (value: Value) => prefix + (value === null ? 'null' : format(value));
  });
  const isFound = source.key.every((name) => select.some((property) => property.name === name));
  const hasId = source.key.length > 0 && (isFull || (metadata === 'minimal' && !isFound));
  return (row) => {
    let text = isFull ? `"@odata.type":"#${NAMESPACE}.${rowTypeName(source.name)}",` : '';
    if (hasId) {
      const url = JSON.stringify(
        root +
          formatEntityPath(
            source,
            keyAt.map((index) => row[index] ?? null),
          ),
      );
      text += `"@odata.id":${url},${isFull ? `"@odata.readLink":${url},` : ''}`;
    }
    for (const [index, format] of fields.entries()) text += format(row[index] ?? null);
    return text;
  };
}

function typeNote({ name, type }: RowProperty): string {
  return `${JSON.stringify(`${name}@odata.type`)}:"#${type.slice('Edm.'.length)}",`;
}

/** Returns a function that formats a value; decimals have all digits of their scale. */
function cellFormatter({ type }: RowProperty, isCompatible: boolean): (value: Value) => string {
  if (type === 'Edm.String' || type === 'Edm.Date' || type === 'Edm.DateTimeOffset')
    return (value) => JSON.stringify(value);
  const isExact = type === 'Edm.Decimal' || type === 'Edm.Int64';
  return isExact && isCompatible ? (value) => `"${value}"` : String;
}
