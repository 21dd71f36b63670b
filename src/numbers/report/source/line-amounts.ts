import type { Amount } from '../catalogue/catalogue.ts';

/** The SQL of each amount on a line, and the ledger columns that it reads. */
export const LINE_AMOUNTS: Readonly<Record<Amount, { expression: string; columns: readonly string[] }>> = {
  hours: { expression: 'hours', columns: ['hours'] },
  cost: { expression: 'cost', columns: ['cost'] },
  fee: { expression: 'fee', columns: ['fee'] },
  // Tests the rate's source: readers without the scope rates have no cost column.
  hours_without_cost_rate: {
    expression: `CASE WHEN cost_rate_source = 'none' THEN hours END`,
    columns: ['hours', 'cost_rate_source'],
  },
  hours_without_bill_rate: { expression: 'CASE WHEN fee IS NULL THEN hours END', columns: ['hours', 'fee'] },
  earned_fee: { expression: 'earned_fee', columns: ['earned_fee'] },
  planned_fee: { expression: 'planned_fee', columns: ['planned_fee'] },
  fee_beyond: { expression: 'fee_beyond', columns: ['fee_beyond'] },
  amount: { expression: 'amount', columns: ['amount'] },
};

/** The SQL of the amounts that an agreed fee decides, on a line without one (3.3.1). */
export const WITHOUT_AGREED_FEE: Readonly<Partial<Record<Amount, string>>> = {
  earned_fee: 'fee',
  planned_fee: 'fee',
  fee_beyond: 'CAST(0 AS DECIMAL(18, 4))',
};
