import { readCatalogues } from '../../src/generation/own-reports.ts';
import { testInsights } from '../oracle/told.ts';

/** Number of random companies. */
const DATASETS = Number(process.env['PLUMBLINE_TOLD_DATASETS'] ?? 60);

const rules = [...readCatalogues().full.insights.rules.values()];

testInsights(
  DATASETS,
  rules.map(({ name }) => name),
);
