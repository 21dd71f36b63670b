import { testSyncHistories } from './histories.ts';
import { LARGE, SMALL } from './source-writes.ts';

testSyncHistories(2, [...SMALL, ...LARGE]);
