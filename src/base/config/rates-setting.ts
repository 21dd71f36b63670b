import { oneOf, type Settings } from './setting.ts';

/** The words for what becomes of a bill rate without a day that a source changes (P6). */
const RATES_CHANGES = ['rewrite', 'from_today'] as const;

export type RatesChange = (typeof RATES_CHANGES)[number];

/** The setting of loads and syncs about bill rates without a day. */
export const RATES_SETTINGS = {
  ratesChange: {
    flag: 'rates-change',
    variable: 'PLUMBLINE_RATES_CHANGE',
    default: 'rewrite',
    argument: 'HOW',
    help: 'rewrite or from_today: a bill rate without a day that is another one than before holds on all days, or from the day on which it is first seen (plumbline rates lists these).',
    parse: oneOf('a way to change rates', RATES_CHANGES),
  },
} satisfies Settings;
