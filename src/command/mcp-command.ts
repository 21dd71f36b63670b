import { resolve } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { readConfig } from '../config/config.ts';
import { AppError, fullMessageOf, messageOf } from '../error.ts';
import { fileWithoutRates } from '../generation/generation-files.ts';
import { openGenerations, type PublishedGenerations } from '../generation/generations.ts';
import { readCatalogues } from '../generation/own-reports.ts';
import { listHistory } from '../history/describe-state.ts';
import { type KeptGenerations, openKeptGenerations } from '../history/kept-generations.ts';
import { makeFairSemaphore } from '../http/protocol/fair-semaphore.ts';
import { LIMITS } from '../http/protocol/limits.ts';
import { openContext, takeTurn } from '../http/protocol/turn.ts';
import { attachCompared, readReportData } from '../http/reports/asked-data.ts';
import { openStdioTransport } from '../mcp/stdio-transport.ts';
import { TOOL_SCOPES, type ToolAccess, type ToolScope } from '../mcp/tool.ts';
import { makeToolServer } from '../mcp/tool-server.ts';
import type { NamedStates } from '../sandbox/attached-states.ts';
import { PUBLIC_SCHEMAS } from '../sandbox/readable-names.ts';
import { openSandbox, type Sandbox, type SqlQuery, type SqlResult } from '../sandbox/sandbox.ts';
import { waitForSignal } from '../signals.ts';
import { type Command, type Flags, givenInstead } from './command.ts';

export const mcp: Command = {
  name: 'mcp',
  summary:
    'Gives a language model on this machine the reports as tools, over the Model Context Protocol on standard input and output. It follows new loads, and ends with its input, once it has answered. A server has the same tools at /mcp.',
  usage: 'mcp',
  flags: [
    {
      name: 'scopes',
      argument: 'S',
      help: `The scopes of the model, out of ${TOOL_SCOPES.join(', ')}. Without rates it sees no cost. Default: ${TOOL_SCOPES.join(',')}.`,
    },
  ],
  examples: ['mcp --database company.duckdb', 'mcp --database company.duckdb --scopes reports'],
  async run(positionals, flags, { stdout, stderr, now }) {
    if (positionals.length > 0) throw new AppError('usage', `mcp takes no argument${givenInstead(positionals)}`);
    const scopes = parseScopes(flags['scopes']);
    const config = readConfig(flags);
    const tell = (message: string) => stderr.print(message);
    let sandbox: Sandbox | undefined;
    const generations = await openGenerations(config.database, config.memoryLimitMib, LIMITS, {
      moved: () => sandbox?.renew(),
      failed: tell,
    });
    const database = resolve(config.database);
    const kept = openKeptGenerations(database, config.memoryLimitMib);
    const fileOf = (whole: string) => (scopes.has('rates') ? whole : fileWithoutRates(whole));
    const openFile = (whole: string, states: NamedStates = {}) => {
      const seen = Object.fromEntries(Object.entries(states).map(([name, path]) => [name, fileOf(path)]));
      return openSandbox(fileOf(whole), { schemas: PUBLIC_SCHEMAS, size: 1, states: seen });
    };
    const runSql: AccessParts['runSql'] = async (files, query) => {
      if (!files) {
        sandbox ??= openFile(config.database);
        return sandbox.query(query);
      }
      const alone = openFile(files.main ?? config.database, files.states);
      return alone.query(query).finally(alone.close);
    };
    try {
      // Without a loaded dataset, it ends here.
      generations.current();
      const access = accessOf(generations, { scopes, database, kept, runSql, now });
      const transport = openStdioTransport(process.stdin, stdout.stream);
      const ended = Promise.race([transport.closed, waitForSignal()]);
      const server = serveStdio(() => makeToolServer(access, (error) => tell(fullMessageOf(error))), {
        transport,
        maxSubscriptions: 0,
        onerror: (error) => tell(messageOf(error)),
      });
      await ended;
      await server.close();
    } finally {
      await sandbox?.close();
      await Promise.all([generations.close(true), kept.close(true)]);
    }
  },
};

interface AccessParts {
  readonly scopes: ReadonlySet<ToolScope>;
  readonly database: string;
  readonly kept: KeptGenerations;
  /** Runs a statement on the present data, or on the databases of kept states. */
  readonly runSql: (files: Awaited<ReturnType<KeptGenerations['files']>>, query: SqlQuery) => Promise<SqlResult>;
  readonly now: () => Date;
}

/** Returns the data as the model may read it; one report at a time, as each uses all processors. */
function accessOf(generations: PublishedGenerations, { scopes, database, kept, runSql, now }: AccessParts): ToolAccess {
  const { activeReaderMs: activeMs, retryAfterSeconds } = LIMITS;
  const running = makeFairSemaphore({ permits: 1, queueLength: Number.POSITIVE_INFINITY, activeMs, retryAfterSeconds });
  const seesRates = scopes.has('rates');
  return {
    catalogues: readCatalogues(),
    scopes,
    async read(report, sent, signal, use) {
      const data = await readReportData({ generations, kept }, report, sent, true);
      return takeTurn({ reader: '', seesRates, signal }, async (turn) => {
        await turn.take(running);
        const lease = turn.lease(data, data.generation);
        const { context } = await openContext(turn, lease, [], { limits: LIMITS, now });
        return use(await attachCompared(turn, context, data), data.fill);
      });
    },
    async query({ asOf, states }, query) {
      const state = asOf === undefined ? undefined : await kept.find(asOf, 'as_of');
      const result = await runSql(await kept.files(asOf, states), { ...query, listStates: kept.rows });
      return { result, company: (state?.generation ?? generations.current()).company };
    },
    states: () => listHistory(database, seesRates),
    now,
  };
}

/** @throws AppError usage for an unknown scope. */
function parseScopes(flag: Flags[string]): ReadonlySet<ToolScope> {
  const names = typeof flag === 'string' ? flag.split(',') : TOOL_SCOPES;
  return new Set(
    names.map((name) => {
      const scope = TOOL_SCOPES.find((each) => each === name);
      if (scope) return scope;
      throw new AppError('usage', `--scopes: "${name}" is not a scope of a model`, {
        hint: `Give one or more of ${TOOL_SCOPES.join(', ')}, with commas.`,
      });
    }),
  );
}
