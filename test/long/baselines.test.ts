import { testBaselines } from '../oracle/baselines.ts';

testBaselines(10, 4);
