import { type Answer, type Row, rowsOf } from './answer.ts';

/** The measure of the fees that a contract has earned beyond its bills. */
export const POSITION = 'position';

/** Unbilled work by its age. */
export const AGES = ['unbilled_0_30', 'unbilled_31_60', 'unbilled_61_90', 'unbilled_over_90'] as const;

/** The words of readers for measures of bills. */
export const BILL_WORDS: Readonly<Record<string, string>> = {
  actual_revenue: 'Earned',
  position: 'To bill',
  unbilled_fees: 'Unbilled work',
  unbilled_0_30: '0 to 30 days',
  unbilled_31_60: '31 to 60 days',
  unbilled_61_90: '61 to 90 days',
  unbilled_over_90: 'Over 90 days',
  contract_liability: 'Billed ahead',
};

/** Returns the rows of projects with what is to bill of each; without it until that has come. */
export function withPositions(rows: readonly Row[], positions: Answer | undefined): readonly Row[] {
  if (!positions) return rows;
  const known = new Map(
    [...rowsOf(positions), ...(positions.totals ? [positions.totals] : [])].map((row) => [
      row['project_id'] ?? null,
      row[POSITION] ?? null,
    ]),
  );
  return rows.map((row) => ({ ...row, [POSITION]: known.get(row['project_id'] ?? null) ?? null }));
}
