import { AppError, type FieldError } from '../../base/index.ts';
import type { Query } from '../../numbers/report/request/number.ts';
import { assertAllRows } from '../../numbers/report/workbook/workbook.ts';
import { type AnswerPart, FORMATS, type FormatName, type ReportFormat } from '../../numbers/write/index.ts';

/**
 * Refuses a request for what its format has no place for, before anything is computed.
 * @throws AppError usage, with one entry for each parameter.
 */
export function assertFormat(query: Query, format: FormatName): void {
  const { lacks, label, write }: ReportFormat = FORMATS[format];
  if (!write) assertAllRows(query);
  const refused = lacks.flatMap((part) => {
    const refusal = isAsked(query, part) && REFUSALS[part](label, query);
    return refusal ? [{ field: part, ...refusal }] : [];
  });
  const [first] = refused;
  if (!first) return;
  const fields = refused.map(({ field, message }): FieldError => ({ field, message }));
  throw new AppError('usage', fields.map(({ message }) => message).join('; '), { fields, hint: first.hint });
}

function isAsked({ number, grouping, presentation }: Query, part: AnswerPart): boolean {
  if (number) return false;
  if (part === 'subtotals') return grouping.hasSubtotals;
  if (part === 'insights') return presentation.hasInsights;
  return part === 'causes' ? presentation.hasCauses : presentation.isExpanded;
}

const REFUSALS: Readonly<Record<AnswerPart, (format: string, query: Query) => { message: string; hint: string }>> = {
  subtotals: (format) => ({
    message: `${format} has rows alone, so it can't hold subtotals: the sum of its rows would count them twice`,
    hint: `Leave subtotals out for ${format}, or ask for json, xlsx, or a table on a terminal.`,
  }),
  insights: (format) => ({
    message: `${format} has rows of plain values, so it can't hold the sentences about them`,
    hint: `Leave insights out for ${format}, or ask for json, ndjson, or a table on a terminal.`,
  }),
  causes: (format) => ({
    message: `${format} has rows alone, so it can't hold the causes of the findings`,
    hint: `Leave causes out for ${format}, or ask for json, or a table on a terminal. A workbook has them on a sheet.`,
  }),
  expand: (format, { selection: { report } }) => ({
    message: `${format} has no rows inside rows, so it can't hold the ${report.nested} of ${report.name}`,
    hint: `Ask for the report ${report.nested} as ${format}, or for this one as json or ndjson.`,
  }),
};
