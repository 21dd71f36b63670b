import { isObject } from '../../base/index.ts';
import { summingReports, type Table } from '../../numbers/report/catalogue/index.ts';
import { describePreview, leaveOutZeros, toObject } from '../../numbers/write/index.ts';
import { previewBody, readParameters } from '../../store/ask/index.ts';
import { DEFAULT_TOOL_ROWS, MAX_TOOL_BYTES } from '../registry/tool.ts';
import { readToolRows } from '../registry/tool-rows.ts';
import type { ReportTool } from './report-tool.ts';

const rows = { type: 'array', items: { type: 'object' } };

const SIZES = ['page', 'per-page'];

export const previewTool: ReportTool = {
  name: 'preview',
  title: 'Preview changes',
  description:
    'Answers a report before and after some changes of records, and the differences by cause, as if the changes had been written. Nothing is. Changes are requests to the service, in order: {"method": "PATCH", "path": "/v3/tasks/77", "body": {"hours": 4}}; POST, PATCH, PUT and DELETE of people, roles, projects, phases, tasks (allocations), timeoffs, logged-time, project-expenses and others. "$1.project_id" stands for a field of the answer of the first change. A change that is refused is named by its position, with the reason.',
  scope: 'write',
  inputSchema: (catalogue) =>
    previewBody.describe({ report: { enum: summingReports(catalogue).map(({ name }) => name) } }),
  outputSchema: {
    type: 'object',
    properties: {
      before: { ...rows, description: 'The rows of the report. Decimals are strings with all their digits.' },
      after: rows,
      changes: { ...rows, description: 'The measures of rows that differ, by cause; a cause of no row is left out.' },
      totals: { type: 'object', description: 'Over all rows: before, after, and changes by measure.' },
      truncated: { type: 'boolean', description: 'True if there are more rows than these.' },
      meta: { type: 'object' },
    },
    required: ['before', 'after', 'changes', 'totals', 'truncated', 'meta'],
  },
  async run(sent, { preview }, signal) {
    if (!preview) throw new Error('The data take no changes');
    const { tables, notes } = await preview({ ...sent, parameters: limitRows(sent['parameters'] ?? {}) }, signal);
    const bridge = await leaveOutZeros(tables.changes);
    const [before, after, changes] = [
      await readToolRows(tables.before),
      await readToolRows(tables.after),
      await readToolRows(bridge),
    ];
    const isCut = [before, after, changes].some((read) => read.isCut);
    const { row_count: count = 0 } = tables.after.meta;
    const more = isCut ? ` Further rows exceed the ${MAX_TOOL_BYTES} bytes of a table: name columns in fields.` : '';
    return {
      summary: `Rows of ${tables.after.name} after the changes: ${count}; differences: ${changes.rows.length}. Nothing was written.${more}`,
      content: {
        before: before.rows,
        after: after.rows,
        changes: changes.rows,
        totals: {
          before: totalsOf(tables.before)[0] ?? null,
          after: totalsOf(tables.after)[0] ?? null,
          changes: totalsOf(tables.changes),
        },
        truncated: isCut || after.rows.length < count,
        meta: { ...describePreview(tables, notes), checks: undefined },
      },
    };
  },
};

/** Returns parameters with the size of a page, unless they choose one; anything else unchanged, to be refused. */
function limitRows(sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  const parameters = readParameters(sent);
  const isChosen = SIZES.some((name) => parameters[name] !== undefined);
  return isChosen ? parameters : { ...parameters, 'per-page': DEFAULT_TOOL_ROWS };
}

function totalsOf({ columns, totals, totalRows, meta }: Table): object[] {
  return (totalRows ?? (totals ? [totals] : [])).map((row) => toObject(columns, row, meta));
}
