export { changeSeenRate } from './change-seen-rate.ts';
export { describeSeenRate, listSeenRates, type SeenRate } from './list-seen-rates.ts';
export { followLoadedRates, type LoadedRates, previewLoadedRates } from './loaded-rates.ts';
export type { ToldRates } from './told-rates.ts';
