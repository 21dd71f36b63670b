import { resolve } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { findStates } from '../ask/find-states.ts';
import { MAX_REPORT_ROWS, openStates } from '../ask/open-states.ts';
import { servedStates } from '../ask/served-states.ts';
import { type Turn, type TurnReader, takeTurn } from '../ask/turn.ts';
import { readConfig } from '../config/config.ts';
import { createSerialQueue } from '../database/serial-queue.ts';
import { listedSources } from '../deliver/listed-sources.ts';
import { AppError, fullMessageOf, messageOf } from '../error.ts';
import { fileWithoutRates } from '../generation/generation-files.ts';
import { openGenerations, type PublishedGenerations } from '../generation/generations.ts';
import { HELD_VERSION_MS } from '../generation/held-generations.ts';
import { readCatalogues } from '../generation/own-reports.ts';
import { listHistory } from '../history/describe-state.ts';
import { type KeptGenerations, openKeptGenerations } from '../history/kept-generations.ts';
import { LIVE_LIMITS } from '../live/live-limits.ts';
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
    const limits = { pollMs: LIVE_LIMITS.pollMs, heldVersionMs: HELD_VERSION_MS };
    const generations = await openGenerations(config.database, config.memoryLimitMib, limits, {
      moved: () => sandbox?.renew(),
      failed: tell,
    });
    const database = resolve(config.database);
    const kept = openKeptGenerations(database, config.memoryLimitMib);
    const fileOf = (whole: string) => (scopes.has('rates') ? whole : fileWithoutRates(whole));
    const openFile = (whole: string, states: NamedStates = {}) => {
      const seen = Object.fromEntries(Object.entries(states).map(([name, path]) => [name, fileOf(path)]));
      return openSandbox(fileOf(whole), {
        schemas: PUBLIC_SCHEMAS,
        size: 1,
        states: seen,
        sources: listedSources(database),
      });
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
  readonly runSql: (
    files: Awaited<ReturnType<KeptGenerations['files']>>['files'],
    query: SqlQuery,
  ) => Promise<SqlResult>;
  readonly now: () => Date;
}

/** Returns the data as the model may read it; one report at a time, as each uses all processors. */
function accessOf(generations: PublishedGenerations, { scopes, database, kept, runSql, now }: AccessParts): ToolAccess {
  const catalogues = readCatalogues();
  const states = servedStates(generations, kept);
  const afterOthers = createSerialQueue();
  const seesRates = scopes.has('rates');
  return {
    catalogues,
    scopes,
    async ask(request, signal, use) {
      const taker: TurnReader = { reader: '', seesRates, signal };
      const asked = await findStates(states, catalogues, request, taker);
      const answer = async (turn: Turn) => {
        const { context } = await openStates(turn, asked, { maxRows: MAX_REPORT_ROWS, now });
        return use(context, asked.sent);
      };
      return afterOthers(() => takeTurn(taker, answer));
    },
    async query(named, query) {
      const { files, opened } = await kept.files(named);
      const result = await runSql(files, query);
      return { result, company: (opened ?? generations.current()).company };
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
