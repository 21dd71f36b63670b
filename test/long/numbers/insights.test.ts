import { readCatalogues } from '../../../src/store/generation/own-reports.ts';
import { testInsights } from '../../oracle/told.ts';

/** Number of random companies. */
const DATASETS = Number(process.env['PLUMBLINE_TOLD_DATASETS'] ?? 60);

const rules = [...readCatalogues().full.insights.rules.values()];

// These companies have no retainers, which have a proof of their own.
testInsights(
  DATASETS,
  rules.flatMap(({ name }) => (name === 'retainer_used' ? [] : name)),
);
