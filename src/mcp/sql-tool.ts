import { describeLoading } from '../report/catalogue/definitions.ts';
import { tableOf } from '../sandbox/result-table.ts';
import { MAX_ATTACHED_STATES, MAX_TIMEOUT_MS } from '../sandbox/sandbox-limits.ts';
import { readSqlBody } from '../sandbox/sql-body.ts';
import { DEFAULT_TOOL_ROWS, MAX_TOOL_BYTES, MAX_TOOL_ROWS, type Tool } from './tool.ts';
import { throwArgumentFaults } from './tool-arguments.ts';
import { metaOfAnswer, ROWS_SCHEMA, readToolRows } from './tool-rows.ts';

export const sqlTool: Tool = {
  name: 'sql',
  title: 'Run one SELECT',
  description:
    "Runs one SELECT of DuckDB's SQL on the marts, in a separate process with limits; it can change nothing. SELECT * FROM marts.catalog lists every column with its meaning, SHOW TABLES every relation, FROM states the kept states. The reports are table macros: FROM reports.projects('2026-01-01', '2026-03-31'); reports.first_day('last_month') and reports.last_day('last_month') give the days of a named period.",
  scope: 'sql',
  inputSchema: ({ parameters }) => ({
    type: 'object',
    properties: {
      sql: { type: 'string', description: 'One SELECT.' },
      parameters: {
        type: 'object',
        description:
          'Values of its $names: texts, numbers, true, false, null, or {"type": "date", "value": "2026-01-31"}.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_TOOL_ROWS,
        default: DEFAULT_TOOL_ROWS,
        description: 'The most rows of the answer.',
      },
      timeout_ms: { type: 'integer', minimum: 1, maximum: MAX_TIMEOUT_MS, description: 'The time limit. Unit: ms.' },
      as_of: { type: 'string', description: parameters.get('as_of')?.description },
      states: {
        type: 'object',
        additionalProperties: { type: 'string' },
        maxProperties: MAX_ATTACHED_STATES,
        description:
          'Kept states whose marts the statement reads beside that, by name: {"march": "2026-03"} has march.marts.lines.',
      },
    },
    required: ['sql'],
    additionalProperties: false,
  }),
  outputSchema: ROWS_SCHEMA,
  async run(sent, { query, now }, signal) {
    const body = readSqlBody({ limit: DEFAULT_TOOL_ROWS, ...sent });
    if (body.maxRows > MAX_TOOL_ROWS) {
      const message = `limit: ${body.maxRows} is more than the ${MAX_TOOL_ROWS} rows of an answer; aggregate, or add LIMIT and OFFSET to the SQL`;
      throwArgumentFaults([{ field: 'limit', message }]);
    }
    const { result, company } = await query(body, { ...body, signal });
    const table = tableOf(result, { ...body, company, loading: describeLoading(company), now: now() });
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
