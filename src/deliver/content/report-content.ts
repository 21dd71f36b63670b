import type { Days } from '../../calendar/day.ts';
import type { Value } from '../../database/database.ts';
import { formatRounded } from '../../exact-decimal.ts';
import { wordsOf } from '../../odata/tokenize.ts';
import type { Column, Meta, Table } from '../../report/catalogue/table.ts';
import type { Query } from '../../report/request/number.ts';
import { formatValue } from '../../write/value-text.ts';
import type { OpenedReport } from './ask-report.ts';
import { makePageLinks, type PageLinks } from './page-links.ts';

/** The rows that a message names; the page has them all. Unit: rows. */
export const MAX_NAMED_ROWS = 10;

/** The sentences and the key figures at the top of a message. */
const SENTENCES = 3;
const FIGURES = 3;

/** The texts that name a row, and the values beside them. */
const [NAMES, ROW_VALUES] = [2, 2];

/** Words with the page that they lead to. */
export interface LinkedText {
  readonly text: string;
  readonly link: string | undefined;
}

/** A sentence about a row. */
export interface ContentSentence extends LinkedText {
  /** The name of the row. */
  readonly name: string;
}

/** A number of a message. */
export interface ContentFigure extends LinkedText {
  readonly label: string;
  /** The value before, for a row that has changed. */
  readonly before?: string;
}

/** A row that a message names. */
export interface ContentRow {
  readonly name: LinkedText;
  readonly values: readonly ContentFigure[];
  /** The change since the last message, for an alert. */
  readonly state?: string;
}

/** The content of a message about a report. */
export interface ReportContent {
  readonly label: string;
  readonly company: string | null;
  readonly days: Days;
  readonly page: string | undefined;
  readonly sentences: readonly ContentSentence[];
  readonly figures: readonly ContentFigure[];
  readonly rows: readonly ContentRow[];
  /** The number of all rows; undefined if rows aren't named. */
  readonly rowCount: number | undefined;
  readonly meta: Meta;
}

/** The words that are asked for beside the numbers of a report; sentences take longer than the numbers. */
export type AskedWords = 'none' | 'links' | 'sentences';

/** Asks for the links and sentences of a report, as far as it has them. */
export function wordParameters(
  { parameters = [] }: Query['selection']['report'],
  sent: Readonly<Record<string, string>>,
  words: AskedWords,
) {
  const hasInterval = sent['interval'] !== undefined && sent['interval'] !== 'none';
  return {
    ...(words !== 'none' && parameters.includes('links') && { links: '1' }),
    ...(words === 'sentences' && parameters.includes('insights') && !hasInterval && { insights: '1' }),
  };
}

/** Reads what is said above the rows of a report: the worst sentences, and the first figures, those of its condition before others. */
export async function readHead(
  opened: OpenedReport,
  query: Query,
  { meta, columns, totals }: Table,
  page: string | undefined,
  where: string | undefined,
): Promise<Omit<ReportContent, 'rows' | 'rowCount'>> {
  const { report, startDate, endDate } = query.selection;
  const links = makePageLinks(page, query);
  const lines = totals?.[columns.findIndex(({ name }) => name === '_lines')];
  const { table = [] } = report;
  const isActual = (name: string) => name.startsWith('actual_');
  const ordered = [...namedIn(where, columns), ...table.filter(isActual), ...table];
  const measures = [...new Set(ordered)].map((name) => columns.findIndex((column) => column.name === name));
  const figures = measures.flatMap((index) => {
    const [column, value] = [columns[index], totals?.[index] ?? null];
    return column && value !== null && isFigure(column) ? [figureOf(column, value, meta, links, lines)] : [];
  });
  return {
    label: report.label,
    company: opened.context.company.name,
    days: { startDate, endDate },
    page: links.report(),
    sentences: await readSentences(opened, query, meta, links),
    figures: figures.slice(0, FIGURES),
    meta,
  };
}

/** Lists the columns that a condition names. */
function namedIn(where: string | undefined, columns: readonly Column[]): string[] {
  const words = wordsOf(where ?? '');
  return columns.flatMap(({ name }) => (words.has(name) ? [name] : []));
}

/** Reads the worst sentences: those of the report or, for another report of projects, those of projects. */
async function readSentences(
  opened: OpenedReport,
  query: Query,
  meta: Meta,
  links: PageLinks,
): Promise<ContentSentence[]> {
  const { rows = [], relation } = query.selection.report;
  const ofProjects = !relation && rows.length === 1 && rows[0] === 'project';
  const insights = meta.insights ?? (ofProjects ? await askProjects(opened, query) : undefined);
  return (insights?.worst ?? []).slice(0, SENTENCES).map(({ text, label, row }) => ({
    name: label,
    text,
    link: links.row(row),
  }));
}

async function askProjects(opened: OpenedReport, { understood }: Query): Promise<Meta['insights']> {
  if (understood['interval'] !== undefined && understood['interval'] !== 'none') return undefined;
  const query = opened.parse({ insights: '1', fields: 'project_id' }, 'projects');
  return (await opened.run(query)).meta.insights;
}

/** Names the first rows of a table, each with the values that say why it is there. */
export async function nameRows(
  query: Query,
  { columns, rows, meta }: Pick<Table, 'columns' | 'rows' | 'meta'>,
  page: string | undefined,
  where: string | undefined,
): Promise<ContentRow[]> {
  const describe = rowDescriber(query, columns, meta, page, where);
  const named: ContentRow[] = [];
  for await (const chunk of rows) {
    for (const row of chunk) {
      if (named.length === MAX_NAMED_ROWS) return named;
      named.push(describe(row));
    }
  }
  return named;
}

/** Returns a function that describes a row: its name, and the values of the condition, then those that its report shows first. */
export function rowDescriber(
  query: Query,
  columns: readonly Column[],
  meta: Meta,
  page: string | undefined,
  where: string | undefined,
): (row: readonly Value[]) => ContentRow {
  const links = makePageLinks(page, query);
  const { table = [] } = query.selection.report;
  const indexOf = (name: string) => columns.findIndex((column) => column.name === name);
  const inCondition = namedIn(where, columns);
  const shown = [...new Set([...inCondition, ...table])].map(indexOf).filter((index) => {
    const column = columns[index];
    return column !== undefined && isFigure(column);
  });
  // Rows of periods have one name otherwise; other days, such as that of the last entry, name nothing.
  const texts = [...new Set([...table, ...columns.map(({ name }) => name)])].filter(
    (name) => columns[indexOf(name)]?.unit === 'text' && !inCondition.includes(name),
  );
  const names = [...texts.slice(0, NAMES), 'period_start', 'date'].map(indexOf).filter((index) => index >= 0);
  const keys = columns.flatMap(({ name, unit }, index) => (unit === 'id' ? [[name, index] as const] : []));
  const linesAt = indexOf('_lines');
  return (row) => {
    const ids = keys.flatMap(([name, index]) => (row[index] == null ? [] : [[name, String(row[index])] as const]));
    const named = names.flatMap((index) => (row[index] == null ? [] : [String(row[index])]));
    return {
      name: {
        text: named.join(', ') || ids.map(([, id]) => id).join(', ') || 'A row',
        link: links.row(Object.fromEntries(ids)),
      },
      values: shown.slice(0, ROW_VALUES).flatMap((index) => {
        const column = columns[index];
        return column ? [figureOf(column, row[index] ?? null, meta, links, row[linesAt])] : [];
      }),
    };
  };
}

/** The units of numbers and days that a message shows. */
function isFigure({ unit, name }: Column): boolean {
  return (
    ['hours', 'money', 'rate', 'percent', 'index', 'budget', 'count', 'date'].includes(unit) && !name.startsWith('_')
  );
}

function figureOf(column: Column, value: Value, meta: Meta, links: PageLinks, lines: Value | undefined): ContentFigure {
  return { label: column.label, text: formatFigure(column, value, meta), link: links.lines(lines, column.name) };
}

/** Formats a value for reading: with commas, its unit, and money with its minor units. */
export function formatFigure({ unit }: Pick<Column, 'unit'>, value: Value, meta: Meta): string {
  if (value === null) return 'unknown';
  const text = String(value);
  if (unit === 'hours') return `${formatRounded(text, 2)} h`;
  if (unit === 'money' || unit === 'rate') return `${formatRounded(text, meta.minor_units)} ${meta.currency}`;
  if (unit === 'percent') return `${formatRounded(text, 1)} %`;
  if (unit === 'budget' || unit === 'index') return formatRounded(text, 2);
  if (unit === 'count') return formatRounded(text, 0);
  return formatValue({ unit }, value, meta) ?? '';
}
