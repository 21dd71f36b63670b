import { testRefreshes } from '../../refresh/cases.ts';

testRefreshes(true);
