import { testBaselines } from '../oracle/baselines.ts';

testBaselines(20, 4);
