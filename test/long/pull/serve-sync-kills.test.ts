import { testSyncKills } from '../../sync/kills.ts';

testSyncKills(50, 'plumbline serve --sync', (url) => ['serve', '--sync', url, '--every', '1s', '--port', '0']);
