import type { Door } from './command/command.ts';
import { OPERATING, REPORTING, SERVING } from './command/commands.ts';
import { DELIVER } from './deliver/door.ts';
import { MCP } from './mcp/door.ts';
import { ODATA } from './odata/door.ts';
import { SANDBOX } from './sandbox/door.ts';

/** The doors of the program. Help lists their commands in this order, and a server adds their routes in it. */
export const DOORS: readonly Door[] = [
  { commands: REPORTING },
  SANDBOX,
  { commands: SERVING },
  ODATA,
  MCP,
  DELIVER,
  { commands: OPERATING },
];
