export { tieOutError } from './tie-out.ts';
