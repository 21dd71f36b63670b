export { buildMacros } from './macros.ts';
export { commentMarts, listMarts, loadMeanings, type Mart, type Meanings } from './marts.ts';
export { buildMartsCatalog } from './marts-catalog.ts';
export { readStar } from './star.ts';
