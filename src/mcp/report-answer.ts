import { type Catalogue, findReport, type Report } from '../report/catalogue.ts';
import { parseReportRequest } from '../report/number.ts';
import { parametersOf } from '../report/parameters.ts';
import { runReport } from '../report/run.ts';
import type { Table } from '../report/table.ts';
import { describeDays } from '../write/describe-meta.ts';
import {
  catalogueOf,
  DEFAULT_TOOL_ROWS,
  MAX_TOOL_BYTES,
  MAX_TOOL_ROWS,
  type ToolAccess,
  type ToolAnswer,
} from './tool.ts';
import { throwArgumentFaults } from './tool-arguments.ts';
import { metaOfAnswer, readRows, type ToolRows, toObject } from './tool-rows.ts';

/** The parameters that set how many rows an answer has. */
const SIZES = ['per-page', 'limit'] as const;

/** Runs a report for an answer of limited rows. */
export async function answerReport(
  name: string,
  sent: Readonly<Record<string, string>>,
  access: ToolAccess,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { catalogues } = access;
  const report = findReport(catalogues.full, name);
  assertSizes(sent);
  const limited = { ...defaultSize(catalogueOf(access), report, sent), ...sent };
  return access.read(signal, async (context) => {
    const query = parseReportRequest(catalogues, name, limited, context);
    const table = await runReport(context, query);
    return answerTable(table, await readRows(table), limited);
  });
}

/** @throws AppError usage for more rows than an answer holds. */
function assertSizes(sent: Readonly<Record<string, string>>): void {
  const faults = SIZES.filter((name) => /^\d+$/.test(sent[name] ?? '') && Number(sent[name]) > MAX_TOOL_ROWS);
  throwArgumentFaults(
    faults.map((field) => ({
      field,
      message: `${field}: ${sent[field]} is more than the ${MAX_TOOL_ROWS} rows of an answer; give fewer, and read on with next`,
    })),
  );
}

/** Returns the size of a page where none is given: a limit with cursor where lines keep their own order. */
function defaultSize(catalogue: Catalogue, report: Report, sent: Readonly<Record<string, string>>) {
  if (SIZES.some((name) => sent[name] !== undefined)) return {};
  const hasCursor = parametersOf(catalogue, report).some(({ name }) => name === 'cursor');
  const isInOrder = ['page', 'sort', 'fields'].every((name) => sent[name] === undefined);
  const size = String(DEFAULT_TOOL_ROWS);
  return hasCursor && isInOrder ? { limit: size } : { 'per-page': size };
}

function answerTable(table: Table, { rows, isCut }: ToolRows, sent: Readonly<Record<string, string>>): ToolAnswer {
  const { name, columns, totals, meta } = table;
  const next = isCut ? undefined : nextOf(rows.length, meta, sent);
  const counted = meta.row_count === undefined ? '' : ` of ${meta.row_count}`;
  const more = isCut ? tooLarge(rows.length, sent) : next && 'Call again with the same arguments and those of next.';
  return {
    summary: `${rows.length}${counted} rows of ${name}, ${describeDays(meta)}.${more ? ` ${more}` : ''}`,
    content: {
      rows,
      totals: totals ? toObject(columns, totals, meta) : null,
      row_count: meta.row_count ?? null,
      truncated: isCut || next !== undefined,
      next: next ?? null,
      more: more ?? null,
      meta: metaOfAnswer(table),
    },
  };
}

/** Returns the arguments of the next page; undefined after the last. */
function nextOf(
  shown: number,
  { next_cursor: cursor, row_count: count = 0 }: Table['meta'],
  sent: Readonly<Record<string, string>>,
) {
  if (sent['limit'] !== undefined) return cursor === undefined ? undefined : { cursor };
  const [page, size] = [Number(sent['page'] ?? 1), Number(sent['per-page'])];
  return (page - 1) * size + shown < count ? { page: page + 1, 'per-page': size } : undefined;
}

/** Tells how to read rows that exceed an answer. */
function tooLarge(fitting: number, sent: Readonly<Record<string, string>>): string {
  const size = sent['limit'] === undefined ? 'per-page' : 'limit';
  const fewer = fitting === 0 ? '' : `, or fewer rows at once with ${size}: ${fitting}`;
  return `Further rows exceed the ${MAX_TOOL_BYTES} bytes of an answer: name fewer columns in fields${fewer}.`;
}
