import { beforeAll, expect, it } from 'vitest';
import { formatDatabaseGuide } from '../../scripts/database-guide.ts';
import { formatDbtSources } from '../../scripts/dbt-sources.ts';
import { openDatabase } from '../../src/base/database/database.ts';
import { listMarts, loadMeanings, type Mart } from '../../src/numbers/report/marts/marts.ts';
import { catalogue, loadCompany } from '../sql/company.ts';
import { priced } from './dataset.ts';

const meanings = loadMeanings('reports', catalogue);

let marts: readonly Mart[];

beforeAll(async () => {
  const { file, remove } = await loadCompany(priced);
  const database = await openDatabase(file, { readOnly: true });
  marts = await listMarts(database, meanings);
  await database.close();
  remove();
});

it('docs/database.md lists the contents of the database', async () => {
  await expect(formatDatabaseGuide(marts, meanings)).toMatchFileSnapshot('../../docs/database.md');
});

it('integrations/dbt/sources.yml lists the marts', async () => {
  await expect(formatDbtSources(marts)).toMatchFileSnapshot('../../integrations/dbt/sources.yml');
});
