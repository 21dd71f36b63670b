import { resolve } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { readConfig } from '../../base/config/index.ts';
import { createSerialQueue } from '../../base/database/index.ts';
import { AppError, fullMessageOf, messageOf, waitForSignal } from '../../base/index.ts';
import {
  findStates,
  MAX_REPORT_ROWS,
  openStates,
  servedStates,
  type Turn,
  type TurnReader,
  takeTurn,
} from '../../store/ask/index.ts';
import {
  HELD_VERSION_MS,
  openGenerations,
  type PublishedGenerations,
  readCatalogues,
} from '../../store/generation/index.ts';
import { type KeptGenerations, listHistory, openKeptGenerations } from '../../store/history/index.ts';
import { LIVE_LIMITS } from '../../store/live/index.ts';
import { type Command, type Flags, givenInstead } from '../command/command.ts';
import type { LocalTools } from '../registry/tool.ts';
import { TOOL_SCOPES, type ToolAccess, type ToolScope } from './report-tool.ts';
import { openStdioTransport } from './stdio-transport.ts';
import { makeToolServer } from './tool-server.ts';

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
  async run(positionals, flags, { stdout, stderr, now, doors }) {
    if (positionals.length > 0) throw new AppError('usage', `mcp takes no argument${givenInstead(positionals)}`);
    const scopes = parseScopes(flags['scopes']);
    const config = readConfig(flags);
    const tell = (message: string) => stderr.print(message);
    const added: LocalTools[] = [];
    let isOpen = false;
    const limits = { pollMs: LIVE_LIMITS.pollMs, heldVersionMs: HELD_VERSION_MS };
    const generations = await openGenerations(config.database, config.memoryLimitMib, limits, {
      moved() {
        for (const { renew } of added) renew();
      },
      // A database that can't be opened at first ends the command, which says why.
      failed: (message) => isOpen && tell(message),
    });
    const database = resolve(config.database);
    const kept = openKeptGenerations(database, config.memoryLimitMib);
    try {
      // Without a loaded dataset, it ends here.
      generations.current();
      isOpen = true;
      const access = accessOf(generations, { scopes, database, kept, now });
      const relations = doors.flatMap((door) => door.relations ?? []);
      const data = { database, seesRates: scopes.has('rates'), generations, kept, relations, now };
      for (const { localTools } of doors) if (localTools) added.push((await localTools())(data));
      const tools = added.flatMap((each) => each.tools);
      const transport = openStdioTransport(process.stdin, stdout.stream);
      const ended = Promise.race([transport.closed, waitForSignal()]);
      const server = serveStdio(() => makeToolServer(access, tools, (error) => tell(fullMessageOf(error))), {
        transport,
        maxSubscriptions: 0,
        onerror: (error) => tell(messageOf(error)),
      });
      await ended;
      await server.close();
    } finally {
      await Promise.all(added.map(({ close }) => close()));
      await Promise.all([generations.close(true), kept.close(true)]);
    }
  },
};

interface AccessParts {
  readonly scopes: ReadonlySet<ToolScope>;
  readonly database: string;
  readonly kept: KeptGenerations;
  readonly now: () => Date;
}

/** Returns the data as the model may read it; one report at a time, as each uses all processors. */
function accessOf(generations: PublishedGenerations, { scopes, database, kept, now }: AccessParts): ToolAccess {
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
