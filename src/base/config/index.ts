export { type ClusterConfig, isClusterChosen, readClusterConfig } from './cluster-config.ts';
export { CLUSTER_SETTINGS, ENGINE_SETTINGS } from './cluster-settings.ts';
export {
  type Config,
  isMemoryGiven,
  readConfig,
  readServerConfig,
  readTokensFile,
  type ServerConfig,
} from './config.ts';
export { parseDuration } from './duration.ts';
export { isObjectStore } from './lake-place.ts';
export { isLoopback } from './loopback.ts';
export { builtFile, packageDirectory, readVersion } from './package.ts';
export { RATES_SETTINGS, type RatesChange } from './rates-setting.ts';
export {
  DEFAULT_RETENTION,
  RETENTION_SETTINGS,
  RETENTION_SPANS,
  type RetentionRules,
  readRetention,
} from './retention-rules.ts';
export { type Environment, type FlagValues, optional, parseText, readSettings, type Settings } from './setting.ts';
export { SERVER_SETTINGS, SETTINGS, TOKEN_SETTINGS } from './settings.ts';
export { SIGN_IN_SETTINGS, type SignInConfig } from './sign-in-settings.ts';
export { readSyncConfig, SERVER_SYNC_SETTINGS, SYNC_SETTINGS, type SyncConfig } from './sync-config.ts';
