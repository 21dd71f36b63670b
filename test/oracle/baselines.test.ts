import { testBaselines } from './baselines.ts';

testBaselines(1, 2);
