import { quoteName, quoteText } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { LAYERS } from '../../numbers/relation/index.ts';
import type { TrinoClient } from '../trino/trino-client.ts';
import type { LakeLock } from './lake-store.ts';
import { INCOMING, type Lake, type LakeVersion, VERSION_NAME } from './lake-version.ts';

/** Ends of the names of a version's schemas. */
const SCHEMA_LAYERS = [INCOMING, 'source', ...LAYERS];

/**
 * Removes the versions of a company that are not in use: versions before the last one, and leftovers of failed loads.
 * @param lock The lock of the lake. It is checked after each listing, so no listed version belongs to a load that took it over.
 * @param kept The name of the version in use.
 * @throws AppError cluster for a schema with the name of a version's in another place, busy if the lock was lost.
 */
export async function removeOldVersions(client: TrinoClient, lake: Lake, lock: LakeLock, kept: string): Promise<void> {
  const { rows } = await client.run(`SHOW SCHEMAS FROM ${quoteName(lake.catalog)}`);
  for (const [schema] of rows) {
    const layer = SCHEMA_LAYERS.find((each) => String(schema).endsWith(`_${each}`)) ?? '';
    const version = String(schema).slice(0, -`_${layer}`.length);
    if (!isVersion(lake, version) || version === kept) continue;
    await assertInLake(client, lake, String(schema), `${version}/${layer}`);
    lock.assertHeld();
    await dropSchema(client, lake, String(schema));
  }
  for (const name of await lake.store.list()) {
    if (!isVersion(lake, name) || name === kept) continue;
    lock.assertHeld();
    await lake.store.remove(name);
  }
}

/** Removes a failed or outdated version, as far as possible: the next load removes the rest. */
export async function removeVersion(client: TrinoClient, { lake, name }: LakeVersion): Promise<void> {
  try {
    const { rows } = await client.run(`SHOW SCHEMAS FROM ${quoteName(lake.catalog)}`);
    for (const [schema] of rows)
      if (String(schema).startsWith(`${name}_`)) await dropSchema(client, lake, String(schema));
    await lake.store.remove(name);
  } catch {
    // The error of the load matters more.
  }
}

async function dropSchema(client: TrinoClient, { catalog }: Lake, schema: string): Promise<void> {
  await client.run(`DROP SCHEMA ${quoteName(catalog)}.${quoteName(schema)} CASCADE`);
}

function isVersion({ schemaPrefix }: Lake, name: string): boolean {
  return name.startsWith(schemaPrefix) && VERSION_NAME.test(name.slice(schemaPrefix.length));
}

/** Prevents a sweep from dropping unrelated schemas. */
async function assertInLake(client: TrinoClient, { catalog, uri }: Lake, schema: string, place: string): Promise<void> {
  const name = `${quoteName(catalog)}.${quoteName(schema)}`;
  const { rows } = await client.run(`SHOW CREATE SCHEMA ${name}`);
  if (String(rows[0]?.[0]).includes(`location = ${quoteText(`${uri}${place}`)}`)) return;
  throw new AppError(
    'cluster',
    `The schema ${catalog}.${schema} is named like one of a load, but isn't in the lake ${uri}`,
    {
      hint: 'Name another --schema-prefix, or the --lake-uri of its load; or drop the schema if nobody needs it.',
    },
  );
}
