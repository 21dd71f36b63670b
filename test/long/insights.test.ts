import { readCatalogues } from '../../src/generation/own-reports.ts';
import { testInsights } from '../oracle/told.ts';

const rules = [...readCatalogues().full.insights.rules.values()];

// Random companies are too wild to be on plan; test/report/insights.test.ts has those that are.
testInsights(
  60,
  rules.filter(({ severity }) => severity !== 'on_plan').map(({ name }) => name),
);
