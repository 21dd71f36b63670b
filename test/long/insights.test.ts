import { readCatalogues } from '../../src/generation/own-reports.ts';
import { testInsights } from '../oracle/told.ts';

testInsights(60, [...readCatalogues().full.insights.rules.keys()]);
