import { testSyncHistories } from '../../sync/histories.ts';
import { LARGE, SMALL } from '../../sync/source-writes.ts';

testSyncHistories(150, [...SMALL, ...LARGE]);
