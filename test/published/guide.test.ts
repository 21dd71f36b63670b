import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { formatDatabaseGuide } from '../../src/report/database-guide.ts';
import { listMarts, loadMeanings } from '../../src/report/marts.ts';
import { catalogue, loadCompany } from '../sql/company.ts';
import { priced } from './dataset.ts';

let file: string;
let remove: () => void;

beforeAll(async () => {
  ({ file, remove } = await loadCompany(priced));
});

afterAll(() => remove());

it('docs/database.md lists the contents of the database', async () => {
  const meanings = loadMeanings('reports', catalogue);
  const database = await openDatabase(file, { readOnly: true });
  const models = await listMarts(database, meanings).finally(() => database.close());
  await expect(formatDatabaseGuide(models, meanings)).toMatchFileSnapshot('../../docs/database.md');
});
