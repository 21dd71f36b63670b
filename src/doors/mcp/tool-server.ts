import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { readVersion } from '../../base/config/index.ts';
import { AppError, advisedMessageOf, listNames, publicMessageOf } from '../../base/index.ts';
import type { Tool, ToolAnswer, ToolArguments } from '../registry/tool.ts';
import { describeMeasureTool, listReportsTool } from './catalogue-tools.ts';
import { explainTool } from './explain-tool.ts';
import { previewTool } from './preview-tool.ts';
import { catalogueOf, type ReportTool, type ToolAccess } from './report-tool.ts';
import { changedLinesTool, dataQualityTool, linesTool, runReportTool } from './report-tools.ts';
import { listStatesTool } from './states-tool.ts';

const TOOLS: readonly ReportTool[] = [
  listReportsTool,
  runReportTool,
  linesTool,
  changedLinesTool,
  describeMeasureTool,
  explainTool,
  dataQualityTool,
  listStatesTool,
  previewTool,
];

const INSTRUCTIONS = `Plumbline reports how a company's work went against its plan: hours, fees, costs, margins, capacity and budgets, exact to the cent.
- Decimals are strings with all their digits: calculate with them as decimals, and don't round what you quote. null is unknown or missing, never 0.
- A window has a start_date and an end_date, both included, or a period such as last_month, whose days meta.parameters tells. cutoff_date is the last day on which actuals count; later days are plan. Without it, meta.cutoff says which day it is and why: the last day, on or before today, with logged time, and the weekend or holidays after it; for a closed period, its end. Name the day when you quote actuals.
- Totals are of all rows, also of those that an answer leaves out. Take totals from an answer instead of adding rows up: some measures don't add up.
- Look at data_quality when a number is surprising, and at explain for why it is what it is.`;

/**
 * Makes an MCP server with the tools that a client may use.
 * @param added The tools of other doors.
 * @param onFailure Called with errors that clients don't see.
 */
export function makeToolServer(
  access: ToolAccess,
  added: readonly Tool[],
  onFailure: (error: unknown) => void,
): Server {
  const server = new Server(
    { name: 'plumbline', title: 'Plumbline', version: readVersion() },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const ofReports = TOOLS.filter((tool) => tool !== previewTool || access.preview);
  const available: readonly Tool[] = [
    ...ofReports.map((tool) => ({
      ...tool,
      run: (sent: ToolArguments, signal: AbortSignal) => tool.run(sent, access, signal),
    })),
    ...added,
  ];
  const offered = available.filter(({ scope }) => access.scopes.has(scope));
  server.setRequestHandler('tools/list', () => ({ tools: listTools(offered, access) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    const tool = findTool(params.name, offered, available);
    try {
      return formatAnswer(await tool.run(withoutNulls(params.arguments ?? {}), signal));
    } catch (error) {
      if (!(error instanceof AppError || signal.aborted)) onFailure(error);
      return { content: [{ type: 'text', text: errorText(error) }], isError: true };
    }
  });
  return server;
}

function listTools(tools: readonly Tool[], access: ToolAccess): ListToolsResult['tools'] {
  const catalogue = catalogueOf(access);
  return tools.map(({ name, title, description, inputSchema, outputSchema }) => ({
    name,
    title,
    description,
    inputSchema: { type: 'object', ...inputSchema(catalogue) },
    outputSchema: { type: 'object', ...outputSchema },
    annotations: { title, readOnlyHint: true, openWorldHint: false },
  }));
}

/** @throws ProtocolError for a tool that the client doesn't have. */
function findTool(name: string, offered: readonly Tool[], available: readonly Tool[]): Tool {
  const tool = offered.find((each) => each.name === name);
  if (tool) return tool;
  const missing = available.find((each) => each.name === name)?.scope;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    missing === undefined
      ? `There is no tool "${name}". The tools are ${listNames(
          name,
          offered.map((each) => each.name),
        )}`
      : `The tool ${name} needs the scope ${missing}`,
  );
}

/** Leaves out the arguments that are null, as many models send those that they don't give. */
function withoutNulls(sent: ToolArguments): ToolArguments {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}

/** Formats an answer twice: clients that know no structured content read the same JSON as text. */
function formatAnswer({ summary, content }: ToolAnswer): CallToolResult {
  return {
    content: [
      { type: 'text', text: summary },
      { type: 'text', text: JSON.stringify(content) },
    ],
    structuredContent: { ...content },
  };
}

/** Returns the message of an error with its way out, unless that is a flag of the command line. */
export function errorText(error: unknown): string {
  if (!(error instanceof AppError) || error.hint?.includes(' --')) return publicMessageOf(error);
  return advisedMessageOf(error);
}
