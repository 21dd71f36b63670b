import type { ContentSentence, LinkedText, ReportContent } from '../content/message-content.ts';
import { cutText, type MessageWords, moreRows, sayFigure } from './mail-text.ts';

/** The longest text of a line in a card. Unit: characters. */
const LINE_CHARACTERS = 200;

export function writeSlack(content: ReportContent, { subject, remarks, foot }: MessageWords): string {
  const { sentences, figures, page } = content;
  // A section each: a line with its link is far below the 3,000 characters of a section, ten of them may not be.
  const sections = (lines: readonly string[]) =>
    lines.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } }));
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: cutText(subject, 150), emoji: false } },
    ...sections([...remarks.map(escapeSlack), ...sentences.map(sayNamed).map(linkSlack)]),
    ...sections(figures.map((figure) => linkSlack({ ...figure, text: sayFigure(figure) }))),
    ...sections(rowsOf(content).map(linkSlack)),
    ...sections(page ? [linkSlack({ text: 'Open in Plumbline', link: page })] : []),
    { type: 'context', elements: [{ type: 'plain_text', text: foot, emoji: false }] },
  ];
  return JSON.stringify({ text: escapeSlack(cutText(subject, 150)), blocks });
}

export function writeTeams(content: ReportContent, { subject, remarks, foot }: MessageWords): string {
  const { sentences, figures, page } = content;
  const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });
  const body = [
    block(escapeTeams(subject), { size: 'Large', weight: 'Bolder' }),
    ...remarks.map((text) => block(escapeTeams(text))),
    ...sentences.map((sentence) => block(linkTeams(sayNamed(sentence)))),
    ...(figures.length > 0
      ? [{ type: 'FactSet', facts: figures.map(({ label, text }) => ({ title: label, value: text })) }]
      : []),
    ...rowsOf(content).map((row) => block(linkTeams(row), { spacing: 'Small' })),
    block(escapeTeams(foot), { size: 'Small', isSubtle: true }),
  ];
  const actions = page ? [{ type: 'Action.OpenUrl', title: 'Open in Plumbline', url: page }] : [];
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
    actions,
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', content: card };
  return JSON.stringify({ type: 'message', attachments: [attachment] });
}

function sayNamed({ name, text, link }: ContentSentence): LinkedText {
  return { text: `${name}: ${text}`, link };
}

function rowsOf(content: ReportContent): LinkedText[] {
  const rows = content.rows.map(({ name, state, sentence, values }) => {
    const lead = state === undefined ? '' : `${state}: `;
    return { text: `${lead}${name.text}: ${sentence ?? values.map(sayFigure).join(', ')}`, link: name.link };
  });
  return [...rows, ...moreRows(content).map((text) => ({ text, link: undefined }))];
}

function linkSlack({ text, link }: LinkedText): string {
  const words = escapeSlack(cutText(text, LINE_CHARACTERS));
  return link === undefined ? words : `<${link.replaceAll('>', '%3E').replaceAll('|', '%7C')}|${words}>`;
}

/** Escapes the marks of Slack, which names may have. */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function linkTeams({ text, link }: LinkedText): string {
  const words = escapeTeams(cutText(text, LINE_CHARACTERS));
  return link === undefined ? words : `[${words}](${link.replaceAll(')', '%29')})`;
}

/** Escapes the marks of Markdown, which names may have. */
export function escapeTeams(text: string): string {
  return text.replaceAll(/[\\`*_~[\]<>#]/g, '\\$&');
}
