import type { Writer } from '../record/storage/changes.ts';

/** The writer of what people decide about rates seen, which a sync keeps. */
export const RATES: Writer = { id: '', label: 'rates', seesRates: true, hasNoDay: true };
