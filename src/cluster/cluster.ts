export { openClusterLoad, planClusterLoad } from './build/cluster-load.ts';
export { readClusterConfig } from './config/cluster-config.ts';
