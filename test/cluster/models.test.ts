import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { sqlDirectory } from '../../src/live/definitions.ts';
import { trinoEngine } from '../../src/model/engine/trino.ts';
import { openTrino, type TrinoClient } from '../../src/trino/trino-client.ts';
import { casesWith, selectCases } from '../engine/prelude-cases.ts';
import { BUNDLED, buildDataset } from '../sql/company.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { compareTrino } from './trino.ts';

const PLACE = { catalog: 'memory', schemaPrefix: 'bundled_', functions: 'memory.default' };

/** The time to fetch and start a cluster, and to build a company there. Unit: ms. */
const CLUSTER_MS = 900_000;

let cluster: Cluster;
let client: TrinoClient;
let parser: Database;
beforeAll(async () => {
  cluster = await startCluster({ workers: 2, catalogs: { memory: 'connector.name=memory\n' } });
  client = openTrino({ url: cluster.coordinator.url, user: 'plumbline' }, { path: PLACE.functions });
  parser = await openDatabase(':memory:');
}, CLUSTER_MS);
afterAll(async () => {
  await parser?.close();
  await cluster?.stop();
});

/** Removes zeros at the end of decimals: their scales differ. */
const trimZeros = (value: unknown) => (value === null ? null : String(value).replace(/(?<=\.\d*?)\.?0+$/, ''));

it('the functions of the prelude are right on Trino at their edges', async () => {
  await trinoEngine(client, PLACE, parser, sqlDirectory).prepare();
  const cases = casesWith('CAST(ARRAY[] AS ARRAY(DECIMAL(9, 4)))', 'CAST(ARRAY[] AS ARRAY(VARCHAR))');
  const { rows } = await client.run(selectCases(cases));
  const found = rows.map(([value], index) => [cases[index]?.[0], trimZeros(value)]);
  expect(found).toEqual(cases.map(([expression, value]) => [expression, trimZeros(value)]));
});

describe('the bundled company', () => {
  it('has the same rows on Trino, and passes every check there', { timeout: CLUSTER_MS }, async () => {
    const database = await buildDataset(BUNDLED, new Date('2026-01-01T12:00:00Z'));
    try {
      const { differences, equal } = await compareTrino(database, client, PLACE);
      expect(differences).toEqual([]);
      expect(equal['core.ledger']).toBeGreaterThan(10_000);
    } finally {
      await database.close();
    }
  });

  it('is built by several workers', async () => {
    const { rows } = await client.run(
      "SELECT count(DISTINCT tasks.node_id) FROM system.runtime.tasks AS tasks JOIN system.runtime.queries AS queries ON queries.query_id = tasks.query_id WHERE queries.query LIKE '%core%ledger%'",
    );
    expect(rows).toEqual([[3]]);
  });
});
