import type { ContentFigure, ContentRow, ReportContent } from '../content/message-content.ts';
import { sayPeriod } from '../content/period-name.ts';
import type { MessageSubject } from './delivery-message.ts';

export interface MessageWords {
  readonly subject: string;
  /** Sentences above all others: that it is late, or what isn't attached. */
  readonly remarks: readonly string[];
  /** The line at the end: the state of the data. */
  readonly foot: string;
}

/** The longest subject of a message. Unit: characters. */
const SUBJECT_CHARACTERS = 150;

/** Makes the words of a message around its report. @param remarks What is to be said of its files. */
export function frameMessage(
  { label, company, days, meta }: Pick<ReportContent, 'label' | 'company' | 'days' | 'meta'>,
  { state, isLate, moment }: MessageSubject,
  remarks: readonly string[],
): MessageWords {
  const subject = [state, `${label}, ${sayPeriod(days)}`, company].filter((part) => part).join(' · ');
  const late = isLate ? [`This comes late: it was due at ${moment.slice(0, 16).replace('T', ' ')} UTC.`] : [];
  const fresh = meta.synced_at ? `synced at ${meta.synced_at}` : `loaded at ${meta.loaded_at}`;
  return {
    subject: cutText(subject, SUBJECT_CHARACTERS),
    remarks: [...late, ...remarks],
    foot: `Data version ${meta.data_version}, ${fresh.replace('T', ' ').replace('Z', ' UTC')}.`,
  };
}

export function writeMailText(content: ReportContent, { remarks, foot }: MessageWords): string {
  const { label, days, sentences, figures, rows, page } = content;
  const blocks = [
    [`${label}, ${sayPeriod(days)}`],
    remarks,
    sentences.flatMap(({ name, text, link }) => [`${name}: ${text}`, ...(link ? [`  ${link}`] : [])]),
    figures.map(sayFigure),
    rows.flatMap(sayRow),
    moreRows(content),
    page ? [`Open the page: ${page}`] : [],
    [foot],
  ];
  return `${blocks.flatMap((lines) => (lines.length > 0 ? [lines.join('\n')] : [])).join('\n\n')}\n`;
}

/** Says a number: its label and value, and what it was before. */
export function sayFigure({ label, text, before }: ContentFigure): string {
  return before === undefined ? `${label}: ${text}` : `${label}: ${before} → ${text}`;
}

function sayRow({ name, state, sentence, values }: ContentRow): string[] {
  const lead = state === undefined ? '' : `${state}: `;
  return [
    `- ${lead}${name.text}`,
    ...(sentence === undefined ? [] : [`  ${sentence}`]),
    ...values.map((value) => `  ${sayFigure(value)}`),
    ...(name.link ? [`  ${name.link}`] : []),
  ];
}

/** Says how many rows aren't named. */
export function moreRows({ rows, rowCount }: Pick<ReportContent, 'rows' | 'rowCount'>): string[] {
  const left = (rowCount ?? rows.length) - rows.length;
  return left > 0 ? [`And ${left} more.`] : [];
}

/** Cuts a text off, whole characters. */
export function cutText(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
