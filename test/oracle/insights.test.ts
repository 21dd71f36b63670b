// @module-tag slow
import { testInsights } from './told.ts';

testInsights(1);
