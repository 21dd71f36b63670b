import type { Value } from '../../src/base/database/database.ts';
import { planPage } from '../../src/doors/odata/page-plan.ts';
import { parseOptions, parseRowQuery } from '../../src/doors/odata/row-query.ts';
import type { RowSource } from '../../src/doors/odata/row-source.ts';
import { openRelation } from '../condition/relation.ts';

/** Rows of every type, with nulls, for requests. */
export interface PagedRelation {
  readonly source: RowSource;
  /** Reads one page. @param options The options of a URL, undecoded. */
  page(
    options: string,
    preferred?: number,
  ): Promise<{ rows: readonly (readonly Value[])[]; count: number | undefined; next: string | undefined }>;
  close(): Promise<void>;
}

/** Opens a relation. @param values The rows in SQL: (id, name, kind, day, hours, billable), ... */
export async function openPages(values: string): Promise<PagedRelation> {
  const { database, name, properties, close } = await openRelation(values);
  const source = { name, description: '', properties, key: ['id'], order: ['id'], from: name };
  return {
    source,
    async page(options, preferred) {
      const query = parseRowQuery(parseOptions(options), source);
      const plan = planPage(source, query, preferred);
      const rows: Value[][] = [];
      for await (const chunk of (await database.read(plan.sql)).chunks) rows.push(...chunk);
      const found = plan.read(rows, 'v1');
      return { ...found, rows: found.rows.map((row) => row.slice(0, query.select.length)) };
    },
    close,
  };
}
