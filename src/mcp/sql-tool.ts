import { describeLoading } from '../report/catalogue/definitions.ts';
import { tableOf } from '../sandbox/result-table.ts';
import { declareSqlBody } from '../sandbox/sql-body.ts';
import { DEFAULT_TOOL_ROWS, MAX_TOOL_BYTES, MAX_TOOL_ROWS, type Tool } from './tool.ts';
import { metaOfAnswer, ROWS_SCHEMA, readToolRows } from './tool-rows.ts';

const body = declareSqlBody({
  maximum: MAX_TOOL_ROWS,
  default: DEFAULT_TOOL_ROWS,
  description: 'The most rows of the answer.',
  wayOut: 'aggregate, or add LIMIT and OFFSET to the SQL',
});

export const sqlTool: Tool = {
  name: 'sql',
  title: 'Run one SELECT',
  description:
    "Runs one SELECT of DuckDB's SQL on the marts, in a separate process with limits; it can change nothing. SELECT * FROM marts.catalog lists every column with its meaning, SHOW TABLES every relation, FROM states the kept states. The reports are table macros: FROM reports.projects('2026-01-01', '2026-03-31'); reports.first_day('last_month') and reports.last_day('last_month') give the days of a named period.",
  scope: 'sql',
  inputSchema: body.describe,
  outputSchema: ROWS_SCHEMA,
  async run(sent, { query, now }, signal) {
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
