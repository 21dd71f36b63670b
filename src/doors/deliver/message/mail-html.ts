import type { ContentFigure, ContentRow, LinkedText, ReportContent } from '../content/message-content.ts';
import { sayPeriod } from '../content/period-name.ts';
import { type MessageWords, moreRows } from './mail-text.ts';

/*
 * Mail programs know tables, inline styles and little else. Colors stand inline for light, and once more in a style
 * element for those that have a dark mode; a program without either shows black on white.
 */

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const DARK = `@media (prefers-color-scheme: dark) {
  body, .page { background: #16181d !important; }
  .text { color: #eceef2 !important; }
  .quiet { color: #a3a9b5 !important; }
  .line { border-color: #343945 !important; }
  .mark { border-color: #6ea0ff !important; }
  .link { color: #8fb5ff !important; }
}`;

/** Writes the message as HTML: remarks, sentences, three numbers, rows, and a link to the page. */
export function writeMailHtml(content: ReportContent, { subject, remarks, foot }: MessageWords): string {
  const { label, company, days, sentences, figures, rows, page } = content;
  const blocks = [
    `<p class="quiet" style="margin:0;color:#5b6270;font-size:14px">${escapeHtml([company, sayPeriod(days)].filter((part) => part).join(' · '))}</p>`,
    `<h1 class="text" style="margin:4px 0 16px;color:#16181d;font-size:22px;line-height:28px">${escapeHtml(label)}</h1>`,
    ...remarks.map((text) => sentence({ text, link: undefined })),
    ...sentences.map(({ name, text, link }) => sentence({ text, link, name })),
    figures.length > 0
      ? `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:16px 0">${figures.map(figure).join('')}</table>`
      : '',
    rows.length > 0
      ? `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:16px 0">${rows.map(row).join('')}</table>`
      : '',
    ...moreRows(content).map(
      (text) => `<p class="quiet" style="margin:0 0 16px;color:#5b6270;font-size:14px">${text}</p>`,
    ),
    page ? openLink(page) : '',
    `<p class="quiet" style="margin:24px 0 0;color:#5b6270;font-size:12px">${escapeHtml(foot)}</p>`,
  ];
  return pageOf(
    subject,
    blocks.filter((block) => block !== ''),
  );
}

/** Writes sentences alone as HTML. */
export function plainHtml(subject: string, lines: readonly string[], page: string | undefined): string {
  const link = page === undefined ? [] : [openLink(page)];
  return pageOf(subject, [...lines.map((text) => sentence({ text, link: undefined })), ...link]);
}

function openLink(page: string): string {
  return `<p style="margin:20px 0"><a class="link" href="${escapeHtml(page)}" style="color:#1f5fd0;font-size:16px;font-weight:600">Open in Plumbline</a></p>`;
}

function pageOf(subject: string, blocks: readonly string[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title><style>${DARK}</style></head>
<body style="margin:0;background:#ffffff"><table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#ffffff"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left"><tr><td style="padding:20px 16px;${FONT}">
${blocks.join('\n')}
</td></tr></table></td></tr></table></body></html>
`;
}

function sentence({ text, link, name }: LinkedText & { readonly name?: string }): string {
  const lead = name === undefined ? '' : `<b>${linked(name, link, 'color:#1f5fd0;text-decoration:none', 'link')}</b>: `;
  const words = `${lead}${escapeHtml(text)}`;
  return `<p class="text mark" style="margin:0 0 10px;padding-left:10px;border-left:3px solid #1f5fd0;color:#16181d;font-size:16px;line-height:22px">${words}</p>`;
}

/** A number: its label at the left, its value at the right. */
function figure({ label, text, link, before }: ContentFigure): string {
  const earlier =
    before === undefined
      ? ''
      : `<span class="quiet" style="color:#5b6270;font-weight:400">${escapeHtml(before)} → </span>`;
  return `<tr><td class="quiet line" style="padding:8px 8px 8px 0;border-bottom:1px solid #e3e6eb;color:#5b6270;font-size:14px">${escapeHtml(label)}</td><td class="text line" align="right" style="padding:8px 0;border-bottom:1px solid #e3e6eb;color:#16181d;font-size:18px;font-weight:600;white-space:nowrap">${earlier}${linked(text, link, 'color:#16181d;text-decoration:none')}</td></tr>`;
}

function row({ name, state, sentence: said, values }: ContentRow): string {
  const lead =
    state === undefined
      ? ''
      : `<span class="quiet" style="color:#5b6270;font-weight:400">${escapeHtml(state)} · </span>`;
  const words =
    said === undefined
      ? ''
      : `<p class="text" style="margin:0 0 2px;color:#16181d;font-size:14px;line-height:20px">${escapeHtml(said)}</p>`;
  const numbers = values.map(({ label, text, link, before }) => {
    const value = `<b class="text" style="color:#16181d">${linked(text, link, 'color:#16181d;text-decoration:none')}</b>`;
    return `<span style="white-space:nowrap">${escapeHtml(label)} ${before === undefined ? '' : `${escapeHtml(before)} → `}${value}</span>`;
  });
  return `<tr><td class="line" style="padding:10px 0;border-bottom:1px solid #e3e6eb"><p class="text" style="margin:0 0 2px;color:#16181d;font-size:16px;font-weight:600">${lead}${linked(name.text, name.link, 'color:#1f5fd0;text-decoration:none', 'link')}</p>${words}<p class="quiet" style="margin:0;color:#5b6270;font-size:14px;line-height:20px">${numbers.join(' &nbsp; ')}</p></td></tr>`;
}

function linked(text: string, link: string | undefined, style: string, kind = 'text'): string {
  if (link === undefined) return escapeHtml(text);
  return `<a class="${kind}" href="${escapeHtml(link)}" style="${style}">${escapeHtml(text)}</a>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
