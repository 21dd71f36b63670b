import type { Cause, Cover, Overrun } from '../../../report/workbook/workbook.ts';
import type { Content } from '../package/cell.ts';
import { columnRef } from '../package/formula.ts';
import { quoteSheet } from '../package/sheet.ts';
import { COLORS, QUIET } from '../package/styles.ts';
import type { GridCell } from '../sheets/grid-sheet.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { formatCount, formatHours, formatMoney, formatNumber } from './amount-words.ts';
import { BLANK, type Block, COLUMNS, headingLine, type Line, placeCells, text } from './summary-block.ts';

/** Severities of findings, gravest first. */
const SEVERITIES = ['error', 'warning', 'notice'];

/** Words for the plan of work that has none to date. */
const PLANS: Readonly<Record<Exclude<Overrun['plan'], 'to date'>, string>> = {
  later: 'before anything is scheduled',
  tentative: "on a tentative plan, which doesn't count as scheduled",
  none: 'without a plan',
};

/** Returns the block of the largest overruns, and of work without a plan to date, in words that link to their rows. */
export function overrunsBlock({ overruns: { planned, unplanned }, meta }: Cover, base: WrittenTable): Block {
  const blockOf = (title: string, found: readonly Overrun[]): Line[] => {
    if (found.length === 0) return [];
    const lines = found.map((overrun) => {
      const link = linkToRow(base, overrun.index, overrun.label);
      const content = { text: describeOverrun(overrun, meta) };
      const cell: GridCell = { content, style: { color: COLORS.dark }, ...(link && { link }) };
      return placeCells({ [COLUMNS.label]: cell });
    });
    const measured = found.some(({ cost }) => cost !== null) ? 'by labour cost' : 'by hours';
    return [headingLine(`${title}, ${measured}`), ...lines, BLANK];
  };
  return { lines: [...blockOf('Largest overruns', planned), ...blockOf('Work without a plan to date', unplanned)] };
}

function describeOverrun({ label, hours, percent, cost, plan }: Overrun, meta: Cover['meta']): string {
  const isOver = (value: string | null): value is string =>
    value !== null && /[1-9]/.test(value) && !value.startsWith('-');
  const share = percent === null ? '' : ` (${formatNumber(percent, 1)} %)`;
  const over = [
    ...(isOver(hours) ? [`${formatHours(hours)}${share}`] : []),
    ...(isOver(cost) ? [formatMoney(cost, meta)] : []),
  ];
  if (plan !== 'to date') return `${label} has ${over.join(' and ')} ${PLANS[plan]}.`;
  const less = hours?.startsWith('-') ? `, in ${formatHours(hours.slice(1))} less` : '';
  return `${label} is ${over.join(' and ')} over what was scheduled to date${less}.`;
}

/** Returns the place of a row, which may be on a further sheet of the table. */
export function linkToRow({ parts }: WrittenTable, index: number, label: string) {
  let rest = index;
  for (const { sheet, lastRow } of parts) {
    const rows = lastRow - 1;
    if (rest < rows) return { to: `${quoteSheet(sheet)}!A${rest + 2}`, tip: `The row of ${label}` };
    rest -= rows;
  }
  return undefined;
}

/** Returns the block of findings, by severity and cause, each with what to do. */
export function causesBlock({ causes, meta }: Cover, quality: WrittenTable): Block {
  const { listed, others, counts, averages } = causes;
  const groups = SEVERITIES.flatMap((severity) => {
    const own = listed.filter((cause) => cause.severity === severity);
    return severity === 'error' || (counts[severity] ?? 0) > 0 ? [{ severity, own }] : [];
  });
  const estimated = listed.filter(({ estimate }) => estimate !== null);
  const basis = [
    ...(averages.cost && estimated.some(({ check }) => check.includes('cost'))
      ? [`${formatMoney(averages.cost, meta)} of cost`]
      : []),
    ...(averages.fee && estimated.some(({ check }) => check.includes('bill'))
      ? [`${formatMoney(averages.fee, meta)} of fees`]
      : []),
  ];
  return {
    lines: [
      headingLine('Findings in the data, by cause', { [COLUMNS.forecast]: '' }),
      ...groups.flatMap(({ severity, own }) => [
        severityLine(quality, severity, counts[severity] ?? 0),
        ...own.map((each) => causeLine(each, meta)),
      ]),
      ...(others.causes > 0
        ? [
            placeCells({
              [COLUMNS.unit]: text(
                `and ${formatCount(others.causes, 'further cause')} with ${formatCount(others.findings, 'finding')}: see Causes`,
                QUIET,
              ),
            }),
          ]
        : []),
      ...(basis.length > 0
        ? [
            placeCells({
              [COLUMNS.label]: text(
                `About: an estimate of what is logged, at the average of the priced actual hours in this window, ${basis.join(' and ')} an hour.`,
                QUIET,
              ),
            }),
          ]
        : []),
      BLANK,
    ],
  };
}

function severityLine(quality: WrittenTable, severity: string, causes: number): Line {
  const label = `${severity.charAt(0).toUpperCase()}${severity.slice(1)}s`;
  return placeCells({
    [COLUMNS.label]: text(label, { bold: true }),
    [COLUMNS.unit]: { content: countCauses(quality, severity, causes), style: { bold: true } },
  });
}

/** Returns the causes of a severity beside their findings, as a live formula: "17 causes in 589 findings". */
export function countCauses(quality: WrittenTable, severity: string, causes: number): Content {
  const words = `${formatCount(causes, 'cause')} in `;
  const { formula, count } = severityCount(quality, severity);
  return {
    formula: `"${words}"&(${formula})&IF((${formula})=1," finding"," findings")`,
    cached: { text: `${words}${count} ${count === 1 ? 'finding' : 'findings'}` },
  };
}

/** Returns the number of findings of a severity, with its live formula. */
function severityCount({ parts, headers, columns, layout, counts }: WrittenTable, severity: string) {
  const header = headers[columns.findIndex(({ name }) => name === layout.tallied)] ?? '';
  const formula = parts.map(({ table }) => `COUNTIF(${columnRef(table, header)},"${severity}")`).join('+');
  return { formula, count: counts.get(severity) ?? 0 };
}

function causeLine(cause: Cause, meta: Cover['meta']): Line {
  const { person, findings, scheduled_days: days, first_date: first, hours, amount_at_risk: amount, estimate } = cause;
  const planned = person && cause.scheduled_hours !== null && days < findings ? cause.scheduled_hours : undefined;
  const records = findings - days;
  const counts = person
    ? [
        ...(records > 0 ? [formatCount(records, 'record')] : []),
        ...(days > 0 ? [formatCount(days, 'scheduled day')] : []),
      ]
    : [formatCount(findings, 'finding')];
  const facts = [
    counts.join(' and '),
    ...(hours === null ? [] : [formatHours(hours) + (planned ? ` (${formatHours(planned)} scheduled)` : '')]),
    ...(estimate ? [`about ${formatMoney(estimate, { ...meta, minor_units: 0 })}`] : []),
    ...(amount === null ? [] : [`${formatMoney(amount, meta)} at risk`]),
  ];
  const since = person && first ? ` from ${first}` : '';
  return placeCells({
    [COLUMNS.label]: text(person ?? 'Records', {}),
    [COLUMNS.unit]: text(`${cause.cause}${since}: ${facts.join(', ')}`),
    [COLUMNS.prior]: text(cause.remedy, QUIET),
  });
}
