import { COLORS, CONDITIONS, QUIET, TITLE } from '../../../../../packages/xlsx/index.ts';
import type { Cover } from '../../../report/workbook/workbook.ts';
import { describeCutoff, describeStates } from '../../describe-meta.ts';
import type { Checks } from '../sheets/checks.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { BLANK, type Block, COLUMNS, type Line, placeCells, text } from './summary-block.ts';
import { countFindings } from './summary-lists.ts';

/** The states of the checks, which the color of their cell depends on. */
const [RIGHT, WRONG] = ['The arithmetic is right', 'The arithmetic is wrong'];

/** Returns the block with the company, the report, its window, and whether its numbers and records are right. */
export function titleBlock(cover: Cover, checks: Checks, quality: WrittenTable | undefined, firstRow: number): Block {
  const broken = 'COUNTIF(tblChecks[Holds],FALSE)';
  const count = checks.checks.length + checks.wholes.length;
  const right = (number: string) => `${RIGHT}: ${count === 1 ? 'the one check holds' : `all ${number} checks hold`}`;
  const state = `IF(${broken}=0,"${right('"&ROWS(tblChecks[Holds])&"')}","${WRONG}: checks that do not hold: "&${broken})`;
  const cached = { text: right(String(count)) };
  const data = quality ? [dataState(quality, cover)] : [];
  const states = describeStates(cover.meta);
  const checksCell = `B${firstRow + 3 + states.length}`;
  return {
    lines: [
      placeCells({ [COLUMNS.label]: text(cover.company ?? 'Plumbline', QUIET) }),
      {
        ...placeCells({ [COLUMNS.label]: text(cover.label, TITLE) }),
        height: 28,
      },
      placeCells({ [COLUMNS.label]: text(describeWindow(cover)) }),
      ...states.map((state) => placeCells({ [COLUMNS.label]: text(state) })),
      placeCells({ [COLUMNS.label]: { content: { formula: state, cached }, style: { bold: true } } }),
      ...data,
      BLANK,
    ],
    conditions: [
      {
        range: checksCell,
        when: { formula: `LEFT(${checksCell},${WRONG.length})="${WRONG}"` },
        style: CONDITIONS.bad,
        isLast: true,
      },
      { range: checksCell, when: { formula: `LEN(${checksCell})>0` }, style: CONDITIONS.good },
    ],
  };
}

/** Says whether the records themselves have errors, which right arithmetic can't show. */
function dataState(quality: WrittenTable, { causes }: Cover): Line {
  const errors = causes.filter(({ severity }) => severity === 'error').length;
  const counted = countFindings(quality, 'error', `${errors} ${errors === 1 ? 'cause' : 'causes'} in `);
  const [formula, cached] =
    'formula' in counted && 'text' in counted.cached ? [counted.formula, counted.cached.text] : ['', ''];
  const after = '; see the findings below';
  const content =
    errors === 0
      ? { text: 'The records have no errors' }
      : {
          formula: `"Errors in the records: "&${formula}&"${after}"`,
          cached: { text: `Errors in the records: ${cached}${after}` },
        };
  return placeCells({
    [COLUMNS.label]: { content, style: { bold: true, color: errors === 0 ? COLORS.good : COLORS.bad } },
  });
}

/** Says which days are actual: all, none, or those up to the cutoff. */
function describeWindow({ meta }: Cover): string {
  const { start_date: start = '', end_date: end = '' } = meta.parameters;
  const window = `${start} to ${end}, amounts in ${meta.currency}`;
  if (meta.cutoff === undefined) return window;
  const { date } = meta.cutoff;
  const cutoff = describeCutoff(meta.cutoff);
  if (date >= end) return `${window}; all of it is actual, since it ended by the cutoff ${cutoff}`;
  if (date < start) return `${window}; all of it is plan, since it begins after the cutoff ${cutoff}`;
  return `${window}; actual to ${cutoff}, plan after it`;
}
