import type { ListQuery } from './list.ts';
import { describeRecord, type Node, type RecordNode, type Row } from './node.ts';
import type { Kind } from './records.ts';
import type { Reader } from './rules/rules.ts';
import { findRecord, selectRecords } from './storage/select.ts';
import type { View } from './view.ts';

export interface Page {
  readonly records: readonly RecordNode[];
  /** Number of records on all pages. */
  readonly total: number;
}

/** Reads a page of a list; empty beyond the last page. */
export async function readPage(reader: Reader, kind: Kind, query: ListQuery, seesRates: boolean): Promise<Page> {
  const { where, order, page, perPage } = query;
  const [counted] = await reader.rows<{ total: number }>(
    `SELECT count(*) AS total FROM ${kind.shape.table} WHERE ${where}`,
  );
  const offset = (page - 1) * perPage;
  const total = counted?.total ?? 0;
  if (offset >= total) return { records: [], total };
  const rows = await reader.rows<Row>(selectRecords(kind.shape, { where, order, limit: perPage, offset }));
  return { records: await describeRows(reader, kind, rows, query, seesRates), total };
}

/**
 * Reads one record.
 * @throws AppError unknown if the id doesn't exist.
 */
export async function readRecord(
  reader: Reader,
  kind: Kind,
  id: string,
  view: View,
  seesRates: boolean,
): Promise<RecordNode> {
  const rows = [await findRecord(reader, kind.shape, id)];
  const [record = {}] = await describeRows(reader, kind, rows, view, seesRates);
  return record;
}

export async function describeRows(
  reader: Reader,
  { shape, rules }: Kind,
  rows: readonly Row[],
  { fields, expand }: Pick<View, 'fields' | 'expand'>,
  seesRates: boolean,
): Promise<RecordNode[]> {
  if (rows.length === 0) return [];
  const isWanted = (name: string) => expand.includes(name) || (fields?.includes(name) ?? false);
  const expands = Object.entries(rules.expands ?? {}).filter(([name]) => isWanted(name));
  const { present } = rules;
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
  const unwanted = shape.expanded.filter((name) => !isWanted(name));
  return rows.map((row, index) => {
    const record: Record<string, Node> = { ...describeRecord(shape, row, seesRates) };
    for (const name of unwanted) delete record[name];
    for (const added of additions) Object.assign(record, added[index]);
    return fields ? Object.fromEntries(fields.map((name) => [name, record[name] ?? null])) : record;
  });
}

async function inOrder<T>(works: readonly (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = [];
  for (const work of works) done.push(await work());
  return done;
}
