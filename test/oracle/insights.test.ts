import { testInsights } from './told.ts';

testInsights(3);
