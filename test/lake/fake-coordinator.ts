import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseFailure } from '../../src/cluster/trino/statement-page.ts';
import type { TrinoClient } from '../../src/cluster/trino/trino-client.ts';
import { type FailureInfo, failedStatement } from '../../src/cluster/trino/trino-errors.ts';

/** Answers a statement with rows, or with the error of the protocol. */
export type Answer = (sql: string) => readonly (readonly unknown[])[] | Partial<FailureInfo>;

/** Answers of a cluster that can take a company; other statements have no rows. */
export const usableCluster: Answer = (sql) => {
  if (sql.includes('node_version')) return [['476']];
  if (sql.includes('system.metadata.catalogs')) {
    return [
      ['lake', 'iceberg'],
      ['memory', 'memory'],
      ['shop', 'postgresql'],
    ];
  }
  if (sql.startsWith('SHOW SESSION')) return [['lake.max_partitions_per_writer', '2000', '100', 'integer', '']];
  return [];
};

/** A client of no server, and the statements that it was given. */
export function fakeClient(answer: Answer): { client: TrinoClient; statements: string[] } {
  const statements: string[] = [];
  const client: TrinoClient = {
    async run(sql) {
      statements.push(sql);
      const found = answer(sql);
      if ('errorName' in found) throw failedStatement(parseFailure(found));
      return { id: 'q', columns: [], rows: found as readonly (readonly unknown[])[] };
    },
  };
  return { client, statements };
}

export interface FakeCoordinator {
  readonly url: URL;
  readonly statements: readonly string[];
  close(): Promise<void>;
}

/** Starts a coordinator that answers each statement at once. @param status Of each answer. */
export async function startFakeCoordinator(answer: Answer, status = 200): Promise<FakeCoordinator> {
  const statements: string[] = [];
  const server: Server = createServer(async (request, response) => {
    let sql = '';
    for await (const chunk of request) sql += chunk;
    statements.push(sql);
    const found = answer(sql);
    const result = 'errorName' in found ? { error: found } : { data: found };
    response.writeHead(status).end(JSON.stringify({ id: 'q', stats: { state: 'FINISHED' }, columns: [], ...result }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    statements,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
