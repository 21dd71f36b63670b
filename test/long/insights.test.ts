import { readCatalogues } from '../../src/generation/own-reports.ts';
import { testInsights } from '../oracle/told.ts';

const rules = [...readCatalogues().full.insights.rules.values()];

testInsights(
  60,
  rules.map(({ name }) => name),
);
