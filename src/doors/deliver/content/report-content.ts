import type { Column, Meta, Table } from '../../../numbers/report/catalogue/index.ts';
import type { Query } from '../../../numbers/report/request/number.ts';
import type { OpenedReport } from './ask-report.ts';
import type { ContentSentence, ReportContent } from './message-content.ts';
import { figureOf, formatFigure, isFigure, namedIn } from './message-figures.ts';
import { makePageLinks, type PageLinks } from './page-links.ts';

/** The sentences and the key figures at the top of a message. */
const SENTENCES = 3;
const FIGURES = 3;

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
    sentences: [...sayBooked(columns, totals, meta), ...(await readSentences(opened, query, meta, links))],
    figures: figures.slice(0, FIGURES),
    meta,
  };
}

/** Says what of the booked revenue is for earlier months, if the report shows it and any is (B2). */
function sayBooked(columns: readonly Column[], totals: Table['totals'], meta: Meta): ContentSentence[] {
  const [booked, catchUp] = ['booked_revenue', 'catch_up_revenue'].map((wanted) => {
    const index = columns.findIndex(({ name }) => name === wanted);
    const [column, value] = [columns[index], totals?.[index] ?? null];
    return column && /[1-9]/.test(String(value ?? '')) ? formatFigure(column, value, meta) : undefined;
  });
  if (booked === undefined || catchUp === undefined) return [];
  const text = `Revenue ${booked} is booked, of it ${catchUp} for earlier months.`;
  return [{ name: 'Booked', text, link: undefined }];
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
