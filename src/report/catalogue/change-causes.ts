/** The causes of a difference between two states, in the order of the columns of the report changes. */
export const CAUSES = [
  'late',
  'new',
  'removed',
  'moved',
  'status',
  'billable',
  'hours',
  'priced',
  'rate',
  'expense',
  'budget',
  'estimate',
  'cutoff',
] as const;

export type ChangeCause = (typeof CAUSES)[number];
