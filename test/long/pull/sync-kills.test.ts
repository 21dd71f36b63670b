import { testSyncKills } from '../../sync/kills.ts';

testSyncKills(50, 'plumbline sync --every', (url) => ['sync', url, '--every', '1s']);
