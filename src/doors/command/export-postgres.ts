import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, addSecret } from '../../base/index.ts';
import { type PublishedMarts, type PublishedSource, publishMarts } from '../postgres/publish-marts.ts';
import { findPostgresFault, findSchemaFault, PUBLISHED_SCHEMA, SCHEMA_NAME } from '../postgres/published-schema.ts';
import type { Flags } from './command.ts';

/** Publishes all marts as tables in PostgreSQL. @throws AppError usage for an address of something else; as publishMarts. */
export async function exportToPostgres(
  url: string,
  flags: Flags,
  source: Omit<PublishedSource, 'findEarlier' | 'folder' | 'compute'>,
): Promise<PublishedMarts> {
  const fault = findPostgresFault(url);
  if (fault !== undefined) throw new AppError('usage', `--to ${fault}`, { hint: 'The password may be in PGPASSWORD.' });
  addSecret(new URL(url).password);
  const schema = typeof flags['schema'] === 'string' ? flags['schema'] : PUBLISHED_SCHEMA;
  if (!SCHEMA_NAME.test(schema)) {
    throw new AppError('usage', `--schema: "${schema}" is no name of a schema`, {
      hint: 'Give small letters, digits and "_", such as plumbline.',
    });
  }
  const ofSchema = findSchemaFault(schema);
  if (ofSchema !== undefined) throw new AppError('usage', `--schema ${ofSchema}`);
  // Rows on their way reveal costs: the folder is the user's own.
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-export-'));
  try {
    const findEarlier = async () => undefined;
    const compute = <T>(work: () => Promise<T>) => work();
    return await publishMarts(
      { ...source, findEarlier, folder, compute },
      { url, schema, marts: undefined, readers: [] },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
