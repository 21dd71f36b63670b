import { EFFORT_LIMIT, ENDS_AFTER_START, type Fields, TIMES } from './field.ts';
import { defineResource } from './resource.ts';

/** The most periods of a retainer: 50 years of months. Unit: periods. */
const MAX_PERIODS = 600;

/** The most amounts that a write may leave in a retainer: one for each period. Unit: entries. */
const MAX_AMOUNTS = MAX_PERIODS;

/** The lengths of a period as an SQL interval, by the words of `every`. */
const INTERVALS = { month: "'1' MONTH", week: "'7' DAY", quarter: "'3' MONTH", year: "'1' YEAR" } as const;

/** The words of a retainer. The first of each list holds where none is given. */
const WORDS: Fields = {
  unit: { type: 'word', words: { hours: 'hours of work', fee: 'the fees of work' } },
  every: {
    type: 'word',
    words: {
      month: 'a period is a month',
      week: 'a period is a week',
      quarter: 'a period is three months',
      year: 'a period is a year',
    },
  },
  counts: { type: 'word', words: { billable: 'billable work uses it', all: 'all work uses it' } },
  rollover: {
    type: 'word',
    words: {
      none: 'a period leaves nothing to the next',
      surplus: 'what is left goes on',
      deficit: 'what is used beyond it is paid by the next',
      both: 'both go on',
    },
  },
  first: {
    type: 'word',
    words: {
      whole: 'periods begin with the start, and all are whole',
      by_days: "periods are the company's, and a cut one counts by its days",
    },
  },
  recognise: { type: 'word', words: { evenly: 'earned day by day', as_used: 'earned as it is used' } },
  overage: { type: 'word', words: { free: 'work beyond it is not paid', billed: 'work beyond it earns its fee' } },
};

const entries = 'SELECT 1 FROM retainer_amounts AS entry WHERE entry.retainer_id = record.retainer_id';

/** Amounts of hours or fees that a client pays for by periods. */
export const retainers = defineResource({
  name: 'retainers',
  id: 'retainer_id',
  fields: {
    retainer_id: { type: 'id', required: true },
    project_id: { type: 'id', required: true, refers: 'projects' },
    phase_id: { type: 'id', refers: 'phases' },
    start_date: { type: 'date', required: true },
    end_date: { type: 'date' },
    ...WORDS,
    expires_after: { type: 'integer', min: 1, max: MAX_PERIODS },
    ...TIMES,
  },
  constraints: [
    ENDS_AFTER_START,
    {
      broken: "expires_after IS NOT NULL AND COALESCE(rollover, 'none') NOT IN ('surplus', 'both')",
      reason: 'expires_after is given, and rollover is neither surplus nor both',
    },
    {
      broken: `end_date >= CASE COALESCE(every, 'month') ${Object.entries(INTERVALS)
        .map(([word, interval]) => `WHEN '${word}' THEN start_date + ${MAX_PERIODS} * INTERVAL ${interval}`)
        .join(' ')} END`,
      reason: `end_date is more than ${MAX_PERIODS} periods after start_date`,
    },
  ],
  lists: {
    amounts: {
      table: 'retainer_amounts',
      shape: 'list',
      most: MAX_AMOUNTS,
      fields: {
        amount: { type: 'amount', required: true },
        price: { type: 'amount' },
        effective_date: { type: 'date' },
      },
    },
  },
  whole: [
    {
      broken: `NOT EXISTS (${entries} AND COALESCE(entry.effective_date <= record.start_date, TRUE))`,
      reason: 'amounts have none that holds on start_date',
    },
    {
      broken: `record.unit = 'fee' AND EXISTS (${entries} AND entry.price IS NOT NULL)`,
      reason: 'amounts have a price, and unit is fee: the amount is the price',
    },
    {
      broken: `COALESCE(record.unit, 'hours') = 'hours' AND EXISTS (${entries} AND entry.amount >= ${EFFORT_LIMIT})`,
      reason: `amounts have hours that are not below ${EFFORT_LIMIT}`,
    },
  ],
  apart: { keys: ['project_id', 'phase_id'], start: 'start_date', end: 'end_date' },
  served: { required: ['amounts'] },
});
