import { testSyncHistories } from '../../sync/histories.ts';
import { LARGE } from '../../sync/source-writes.ts';

testSyncHistories(850, LARGE);
