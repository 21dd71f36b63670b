import { testRefreshes } from './cases.ts';

testRefreshes(false);
