export { type Live, openLive } from './live.ts';
export { LIVE_LIMITS, type LiveLimits } from './live-limits.ts';
export { type LiveSource, openLiveSource } from './live-source.ts';
export { previewOnCopy } from './preview-copy.ts';
export type { Store } from './store.ts';
export { takesChangesOf, whileUnowned } from './unowned.ts';
export { NO_DATASET, openIdleWorking } from './working-file.ts';
