import type { Cover, Loads } from '../../../report/workbook/workbook.ts';
import { formatCount, formatHours, formatNumber } from './amount-words.ts';
import { BLANK, type Block, COLUMNS, headingLine, type Line, placeCells, text } from './summary-block.ts';

/** Returns what is told of people in short lines, for a column beside other lists; none if nothing is. */
export function staffLines({ staff }: Cover): string[] {
  if (!staff) return [];
  const { utilization, scheduled, overbooked, idle, overbookedPercent, idlePercent } = staff;
  return [
    countPeople(staff),
    `Utilization to date ${formatShare(utilization)}, scheduled ${formatShare(scheduled)} of capacity`,
    `Overbooked, from ${overbookedPercent} %: ${firstLoad(overbooked)}`,
    `Idle, up to ${idlePercent} %: ${firstLoad(idle)}`,
  ];
}

/** Returns the block of people: how many there are, how busy they are, and who has too much or too little. */
export function staffBlock({ staff }: Cover): Block {
  if (!staff) return { lines: [] };
  const { utilization, scheduled, overbooked, idle } = staff;
  const busy = `utilization ${formatShare(utilization)} of the capacity to date, scheduled ${formatShare(scheduled)} of the capacity`;
  return {
    lines: [
      headingLine('People'),
      fact('Headcount', `${countPeople(staff)}, ${busy}`),
      fact(`Overbooked, from ${staff.overbookedPercent} %`, listLoads(overbooked)),
      fact(`Idle, up to ${staff.idlePercent} %`, listLoads(idle)),
      BLANK,
    ],
  };
}

function fact(label: string, value: string): Line {
  return placeCells({ [COLUMNS.label]: text(label), [COLUMNS.unit]: text(value) });
}

function countPeople({ headcount, fullTime }: NonNullable<Cover['staff']>): string {
  const people = formatCount(headcount, 'person', 'people');
  return fullTime === null ? people : `${people}, ${formatNumber(fullTime, 1)} full-time equivalents`;
}

function formatShare(percent: string | null): string {
  return percent === null ? 'unknown' : `${formatNumber(percent, 1)} %`;
}

/** Returns the first load in words, and the number of the others. */
function firstLoad({ listed, others }: Loads): string {
  const [first] = listed;
  if (!first) return 'nobody';
  const rest = listed.length - 1 + others;
  const words = `${first.person} ${formatNumber(first.percent, 0)} % in fiscal ${first.quarter}`;
  return rest === 0 ? words : `${words}, and ${rest} more`;
}

/** Lists loads in words: Ann Example 160 % in fiscal 2026-Q1 (768.00 h of 480.00 h). */
function listLoads({ listed, others }: Loads): string {
  if (listed.length === 0) return 'nobody';
  const words = listed.map(
    ({ person, quarter, percent, scheduled, capacity }) =>
      `${person} ${formatNumber(percent, 0)} % in fiscal ${quarter} (${formatHours(scheduled)} of ${formatHours(capacity)})`,
  );
  return `${words.join('; ')}${others > 0 ? `; and ${others} more` : ''}`;
}
