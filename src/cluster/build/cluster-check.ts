import { quoteText } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import type { Lake } from '../lake/lake-version.ts';
import type { TrinoClient } from '../trino/trino-client.ts';

/** The oldest version of Trino on which the models were tested. */
export const MIN_TRINO_VERSION = 476;

/** The months from the first valid date to the last: an item can repeat in all of them. Unit: months. */
export const MAX_MONTHS = 1_560;

/** The connectors that a load needs: one for tables, one for functions. */
const TABLE_CONNECTOR = 'iceberg';
const FUNCTION_CONNECTOR = 'memory';

/**
 * Checks that a cluster can hold a company, before anything is read.
 * @throws AppError cluster for an old version, or a catalog that is missing or of another connector.
 */
export async function assertUsable(client: TrinoClient, { catalog, functions }: Lake): Promise<void> {
  const { rows: nodes } = await client.run('SELECT node_version FROM system.runtime.nodes WHERE coordinator');
  const version = String(nodes[0]?.[0] ?? '');
  const number = Number(/^\d+/.exec(version)?.[0] ?? 0);
  if (number < MIN_TRINO_VERSION) {
    throw new AppError('cluster', `The cluster runs Trino ${version || 'of an unknown version'}`, {
      hint: `Upgrade it to ${MIN_TRINO_VERSION} or newer.`,
    });
  }
  const { rows } = await client.run('SELECT catalog_name, connector_name FROM system.metadata.catalogs');
  const connectors = new Map(rows.map(([name, connector]) => [String(name), String(connector)]));
  assertConnector(connectors, { catalog, flag: 'catalog', connector: TABLE_CONNECTOR });
  assertConnector(connectors, { catalog: functions, flag: 'functions', connector: FUNCTION_CONNECTOR });
  await assertEnoughMonths(client, catalog);
}

/** @throws AppError cluster if a worker may not write as many months at once as records can have. */
async function assertEnoughMonths(client: TrinoClient, catalog: string): Promise<void> {
  const property = `${catalog}.max_partitions_per_writer`;
  const { rows } = await client.run(`SHOW SESSION LIKE ${quoteText(property)}`);
  const most = Number(rows.find(([name]) => name === property)?.[1] ?? 0);
  if (most >= MAX_MONTHS) return;
  throw new AppError('cluster', `A worker writes at most ${most} months at once into the catalog ${catalog}`, {
    hint: `Set iceberg.max-partitions-per-writer=${MAX_MONTHS} in the properties of the catalog.`,
  });
}

interface NeededCatalog {
  readonly catalog: string;
  readonly flag: string;
  readonly connector: string;
}

function assertConnector(connectors: ReadonlyMap<string, string>, { catalog, flag, connector }: NeededCatalog): void {
  const found = connectors.get(catalog);
  if (found === connector) return;
  const fitting = [...connectors].filter(([, each]) => each === connector).map(([name]) => name);
  const problem =
    found === undefined ? 'the cluster has no such catalog' : `its connector is ${found}, not ${connector}`;
  throw new AppError('cluster', `--${flag}: ${catalog}: ${problem}`, {
    hint:
      fitting.length === 0
        ? `Add a catalog with connector.name=${connector} to the cluster.`
        : `Name one of its catalogs with the connector ${connector}: ${fitting.join(', ')}.`,
  });
}
