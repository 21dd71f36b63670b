import { refuseFields } from '../../base/index.ts';
import {
  type Catalogue,
  findReport,
  type Meta,
  parametersOf,
  type Report,
  type Table,
} from '../../numbers/report/catalogue/index.ts';
import { cursorAfter } from '../../numbers/report/request/number.ts';
import { describeDays, type RowObjects, toObject } from '../../numbers/write/index.ts';
import { runAsked } from '../../store/ask/index.ts';
import { DEFAULT_TOOL_ROWS, MAX_TOOL_BYTES, MAX_TOOL_ROWS, type ToolAnswer } from '../registry/tool.ts';
import { metaOfAnswer, readToolRows } from '../registry/tool-rows.ts';
import { catalogueOf, type ToolAccess } from './report-tool.ts';

/** The parameters that set how many rows an answer has. */
const SIZES = ['per-page', 'limit'] as const;

export async function answerReport(
  name: string,
  sent: Readonly<Record<string, string>>,
  access: ToolAccess,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { catalogues } = access;
  const report = findReport(catalogues.full, name);
  assertSizes(sent);
  return access.ask({ report: report.name, sent }, signal, async (context, completed) => {
    const limited = { ...defaultSize(catalogueOf(access), report, completed), ...completed };
    const table = await runAsked(catalogues, report.name, limited, context);
    return answerTable(table, await readToolRows(table), limited);
  });
}

/** @throws AppError usage for more rows than an answer holds. */
function assertSizes(sent: Readonly<Record<string, string>>): void {
  const faults = SIZES.filter((name) => /^\d+$/.test(sent[name] ?? '') && Number(sent[name]) > MAX_TOOL_ROWS);
  refuseFields(
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

function answerTable(table: Table, read: RowObjects, sent: Readonly<Record<string, string>>): ToolAnswer {
  const { name, columns, totals, meta } = table;
  const { rows, next } = sent['limit'] === undefined ? pageOf(read, meta, sent) : sliceOf(read, table);
  const counted = meta.row_count === undefined ? '' : ` of ${meta.row_count}`;
  const more = [
    ...(read.isCut ? [`Further rows exceed the ${MAX_TOOL_BYTES} bytes of an answer.`] : []),
    ...(next ? ['Call again with the same arguments and those of next.'] : []),
    ...(read.isCut ? ['With fewer columns in fields, an answer has more rows.'] : []),
  ].join(' ');
  return {
    summary: `${rows.length}${counted} rows of ${name}, ${describeDays(meta)}.${more && ` ${more}`}`,
    content: {
      rows,
      totals: totals ? toObject(columns, totals, meta) : null,
      row_count: meta.row_count ?? null,
      truncated: more !== '',
      next: next ?? null,
      more: more || null,
      meta: metaOfAnswer(table),
    },
  };
}

/** Rows of an answer, and the arguments of the next ones; undefined after the last, or if a single row is too large. */
interface Shown {
  readonly rows: readonly object[];
  readonly next?: object | undefined;
}

/** Returns the rows of a table that is read by cursor. */
function sliceOf({ rows, last, isCut }: RowObjects, { columns, meta }: Table): Shown {
  const cursor = isCut ? last && cursorAfter(meta, columns, last) : meta.next_cursor;
  return { rows, next: cursor === undefined ? undefined : { cursor } };
}

/** Returns the rows of a page, so many that the next rows begin a page of some size. */
function pageOf(
  { rows, isCut }: RowObjects,
  { row_count: count = 0 }: Meta,
  sent: Readonly<Record<string, string>>,
): Shown {
  const [page, size] = [Number(sent['page'] ?? 1), Number(sent['per-page'])];
  const start = (page - 1) * size;
  if (!isCut) return { rows, next: start + rows.length < count ? { page: page + 1, 'per-page': size } : undefined };
  if (rows.length === 0) return { rows };
  // Half of the rows that fit: then at least so many are shown, wherever the page starts.
  const fitting = start % rows.length === 0 ? rows.length : Math.ceil(rows.length / 2);
  const before = Math.floor((start + rows.length) / fitting);
  return { rows: rows.slice(0, before * fitting - start), next: { page: before + 1, 'per-page': fitting } };
}
