import type { Cover, Standing } from '../../../report/workbook/workbook.ts';
import { COLORS } from '../package/styles.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { formatCount } from './amount-words.ts';
import { BLANK, type Block, COLUMNS, headingLine, type Line, NOTE, placeCells, text } from './summary-block.ts';
import { linkToRow } from './summary-words.ts';

/** The word of a standing with its mark, and its color. */
const MARKS: Readonly<Record<NonNullable<Standing['status']>, { readonly word: string; readonly color: string }>> = {
  over: { word: '● over', color: COLORS.bad },
  at_risk: { word: '▲ at risk', color: COLORS.warn },
  on_plan: { word: '✓ on plan', color: COLORS.good },
};

/** Returns the block of the projects that are over or at risk, worst first, each with its reason and its manager. */
export function standingsBlock({ standings: { counts, worst } }: Cover, base: WrittenTable): Block {
  const all = counts.over + counts.at_risk + counts.on_plan + counts.none;
  if (all === 0) return { lines: [] };
  const further = counts.over + counts.at_risk - worst.length;
  const title = `Projects: ${counts.over} over, ${counts.at_risk} at risk, ${counts.on_plan} on plan, ${counts.none} without a judgment`;
  const titles = { [COLUMNS.actual]: 'Standing', [COLUMNS.variance]: 'Manager', [COLUMNS.forecast]: 'Reason' };
  return {
    lines: [
      headingLine(title, titles, [COLUMNS.actual, COLUMNS.variance, COLUMNS.forecast]),
      ...worst.map((standing): Line => {
        const { word, color } = MARKS[standing.status ?? 'on_plan'];
        const link = linkToRow(base, standing.index, standing.label);
        return placeCells({
          [COLUMNS.label]: { content: { text: standing.label }, style: { color: COLORS.dark }, ...(link && { link }) },
          [COLUMNS.actual]: text(word, { color, bold: true, align: 'left', indent: 1 }),
          [COLUMNS.variance]: text(standing.manager ?? '', { align: 'left', indent: 1 }),
          [COLUMNS.forecast]: text(standing.reason ?? '', { align: 'left', indent: 1 }),
        });
      }),
      ...(further > 0
        ? [
            placeCells({
              [COLUMNS.label]: text(`and ${formatCount(further, 'further project')}: see ${base.sheet}`, NOTE),
            }),
          ]
        : []),
      BLANK,
    ],
  };
}
