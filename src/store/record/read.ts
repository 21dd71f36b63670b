import type { ListQuery } from './list.ts';
import { describeRecord, type Node, type RecordNode, type Row } from './node.ts';
import { findPlace } from './page-places.ts';
import type { ServedResource } from './records.ts';
import type { Reader } from './rules/rules.ts';
import { findRecord, selectRecords } from './storage/select.ts';
import type { View } from './view.ts';

export interface Page {
  readonly records: readonly RecordNode[];
  /** Number of records on all pages. */
  readonly total: number;
}

/** Reads a page of a list; empty beyond the last page. */
export async function readPage(
  reader: Reader,
  resource: ServedResource,
  query: ListQuery,
  seesRates: boolean,
): Promise<Page> {
  const { order, page, perPage } = query;
  const { total, where, offset } = await findPlace(reader, resource.table, query);
  if ((page - 1) * perPage >= total) return { records: [], total };
  const rows = await reader.rows<Row>(selectRecords(resource, { where, order, limit: perPage, offset }));
  return { records: await describeRows(reader, resource, rows, query, seesRates), total };
}

/**
 * Reads one record.
 * @throws AppError unknown if the id doesn't exist.
 */
export async function readRecord(
  reader: Reader,
  resource: ServedResource,
  id: string,
  view: View,
  seesRates: boolean,
): Promise<RecordNode> {
  const rows = [await findRecord(reader, resource, id)];
  const [record = {}] = await describeRows(reader, resource, rows, view, seesRates);
  return record;
}

export async function describeRows(
  reader: Reader,
  resource: ServedResource,
  rows: readonly Row[],
  { fields, expand }: Pick<View, 'fields' | 'expand'>,
  seesRates: boolean,
): Promise<RecordNode[]> {
  if (rows.length === 0) return [];
  const isWanted = (name: string) => expand.includes(name) || (fields?.includes(name) ?? false);
  const expands = Object.entries(resource.rules.expands ?? {}).filter(([name]) => isWanted(name));
  const { present } = resource.rules;
  const isPresented = present && (!fields || present.names.some((name) => fields.includes(name)));
  const additions = [
    ...(isPresented ? [await present.read(reader, rows, seesRates)] : []),
    ...(await inOrder(
      expands.map(
        ([, read]) =>
          () =>
            read(reader, rows, seesRates),
      ),
    )),
  ];
  const unwanted = resource.expanded.filter((name) => !isWanted(name));
  return rows.map((row, index) => {
    const record: Record<string, Node> = { ...describeRecord(resource, row, seesRates) };
    for (const name of unwanted) delete record[name];
    for (const added of additions) Object.assign(record, added[index]);
    for (const name of present?.absent ?? []) if (record[name] === null) delete record[name];
    return fields ? Object.fromEntries(fields.map((name) => [name, record[name] ?? null])) : record;
  });
}

async function inOrder<T>(works: readonly (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = [];
  for (const work of works) done.push(await work());
  return done;
}
