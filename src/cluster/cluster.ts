export { openClusterLoad, planClusterLoad } from './build/cluster-load.ts';
