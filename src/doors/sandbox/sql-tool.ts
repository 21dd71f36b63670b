import { type Company, describeLoading } from '../../numbers/report/catalogue/index.ts';
import { fileWithoutRates } from '../../store/generation/index.ts';
import {
  DEFAULT_TOOL_ROWS,
  type LocalData,
  type LocalTools,
  MAX_TOOL_BYTES,
  MAX_TOOL_ROWS,
  type Tool,
} from '../registry/tool.ts';
import { metaOfAnswer, ROWS_SCHEMA, readToolRows } from '../registry/tool-rows.ts';
import type { NamedStates, StatementStates } from './attached-states.ts';
import { PUBLIC_SCHEMAS } from './readable-names.ts';
import { tableOf } from './result-table.ts';
import { openSandbox, type Sandbox, type SqlQuery, type SqlResult } from './sandbox.ts';
import { declareSqlBody } from './sql-body.ts';

const body = declareSqlBody({
  maximum: MAX_TOOL_ROWS,
  default: DEFAULT_TOOL_ROWS,
  description: 'The most rows of the answer.',
  wayOut: 'aggregate, or add LIMIT and OFFSET to the SQL',
});

/**
 * Runs a statement, and returns the settings of the database that it read, too.
 * @param named References of the kept states that it reads.
 */
type QueryRunner = (
  named: StatementStates,
  query: SqlQuery,
) => Promise<{ readonly result: SqlResult; readonly company: Company }>;

/** Makes the tool that runs statements. */
export function makeSqlTool(query: QueryRunner, now: () => Date): Tool {
  return {
    name: 'sql',
    title: 'Run one SELECT',
    description:
      "Runs one SELECT of DuckDB's SQL on the marts, in a separate process with limits; it can change nothing. SELECT * FROM marts.catalog lists every column with its meaning, SHOW TABLES every relation, FROM states the kept states. The reports are table macros: FROM reports.projects('2026-01-01', '2026-03-31'); reports.first_day('last_month') and reports.last_day('last_month') give the days of a named period.",
    scope: 'sql',
    inputSchema: body.describe,
    outputSchema: ROWS_SCHEMA,
    async run(sent, signal) {
      const asked = body.read(sent);
      const { result, company } = await query(asked.named, { ...asked, signal });
      const table = tableOf(result, { ...asked, company, loading: describeLoading(company), now: now() });
      const { rows, isCut } = await readToolRows(table);
      const more = isCut
        ? `Further rows exceed the ${MAX_TOOL_BYTES} bytes of an answer: select fewer columns or rows.`
        : result.isTruncated
          ? `There are more rows: aggregate, add LIMIT and OFFSET, or give a limit up to ${MAX_TOOL_ROWS}.`
          : null;
      return {
        summary: [`${rows.length} rows.`, ...(more === null ? [] : [more]), ...result.notes].join(' '),
        content: {
          rows,
          truncated: more !== null,
          more,
          meta: metaOfAnswer(table),
        },
      };
    },
  };
}

/** Opens the tool sql for a program that has one client. Its process starts with the first statement. */
export function openLocalTools({ database, seesRates, generations, kept, relations, now }: LocalData): LocalTools {
  let shared: Sandbox | undefined;
  const fileOf = (whole: string) => (seesRates ? whole : fileWithoutRates(whole));
  const openFile = (whole: string, states: NamedStates = {}) => {
    const seen = Object.fromEntries(Object.entries(states).map(([name, path]) => [name, fileOf(path)]));
    return openSandbox(fileOf(whole), { schemas: PUBLIC_SCHEMAS, size: 1, states: seen, home: database, relations });
  };
  const sql = makeSqlTool(async (named, query) => {
    const { files, opened } = await kept.files(named);
    if (!files) {
      shared ??= openFile(database);
      return { result: await shared.query(query), company: (opened ?? generations.current()).company };
    }
    const alone = openFile(files.main ?? database, files.states);
    const result = await alone.query(query).finally(alone.close);
    return { result, company: (opened ?? generations.current()).company };
  }, now);
  return {
    tools: [sql],
    renew: () => shared?.renew(),
    close: async () => shared?.close(),
  };
}
