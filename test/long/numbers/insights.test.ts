import { readCatalogues } from '../../../src/store/generation/own-reports.ts';
import { testInsights } from '../../oracle/told.ts';

/** Number of random companies. */
const DATASETS = Number(process.env['PLUMBLINE_TOLD_DATASETS'] ?? 60);

const rules = [...readCatalogues().full.insights.rules.values()];

/** Rules about what these companies don't have: retainers and bills have proofs of their own. */
const ELSEWHERE = ['retainer_used', 'unbilled_over_90'];

testInsights(
  DATASETS,
  rules.flatMap(({ name }) => (ELSEWHERE.includes(name) ? [] : name)),
);
