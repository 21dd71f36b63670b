import { expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { MAX_SPOOL_RATIO, openSpoolRoom, SPOOL_ALLOWANCE_BYTES } from '../../src/records/ingest/reading/spool-file.ts';

it('a load writes lines of JSON up to an allowance and a multiple of its files, and is refused with the next byte', async () => {
  const database = await openDatabase(':memory:');
  // Two sheets of one workbook count its bytes once.
  const room = await openSpoolRoom(database, [
    { path: 'a.xlsx', bytes: 10 },
    { path: 'a.xlsx', bytes: 10 },
    { path: 'b.csv', bytes: 5 },
  ]);
  const most = SPOOL_ALLOWANCE_BYTES + MAX_SPOOL_RATIO * 15;
  room.take(most, 'a.xlsx');
  expect(() => room.take(1, 'b.csv')).toThrow(
    `b.csv holds too much: the files of this load have 15 bytes, and the records in them more than ${most}`,
  );
  await database.close();
});
