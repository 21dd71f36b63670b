import type { Cover, StaffLoad } from '../../../report/workbook/workbook.ts';
import { formatCount, formatHours, formatNumber } from './amount-words.ts';
import { BLANK, type Block, COLUMNS, headingLine, type Line, placeCells, text } from './summary-block.ts';

/** Returns the block of people: how many there are, how busy they are, and who has too much or too little. */
export function staffBlock({ staff }: Cover): Block {
  if (!staff) return { lines: [] };
  const { headcount, fullTime, utilization, scheduled, overbooked, idle } = staff;
  const share = (value: string | null) => (value === null ? undefined : `${formatNumber(value, 1)} %`);
  const facts = [
    formatCount(headcount, 'person', 'people'),
    ...(fullTime === null ? [] : [`${formatNumber(fullTime, 1)} full-time equivalents`]),
    ...(share(utilization) ? [`utilization ${share(utilization)} of the capacity to date`] : []),
    ...(share(scheduled) ? [`scheduled ${share(scheduled)} of the capacity`] : []),
  ];
  return {
    lines: [
      headingLine('People'),
      fact('Headcount', facts.join(', ')),
      fact(`Overbooked, from ${staff.overbookedPercent} %`, listLoads(overbooked, 'nobody')),
      fact(`Idle, up to ${staff.idlePercent} %`, listLoads(idle, 'nobody')),
      BLANK,
    ],
  };
}

function fact(label: string, value: string): Line {
  return placeCells({ [COLUMNS.label]: text(label), [COLUMNS.unit]: text(value) });
}

/** Lists loads in words: Olumide Adeyemi 160 % in 2026-Q1 (768.00 h of 480.00 h). */
function listLoads(
  { listed, others }: { readonly listed: readonly StaffLoad[]; readonly others: number },
  none: string,
) {
  if (listed.length === 0) return none;
  const words = listed.map(
    ({ person, quarter, percent, scheduled, capacity }) =>
      `${person} ${formatNumber(percent, 0)} % in fiscal ${quarter} (${formatHours(scheduled)} of ${formatHours(capacity)})`,
  );
  return `${words.join('; ')}${others > 0 ? `; and ${others} more` : ''}`;
}
