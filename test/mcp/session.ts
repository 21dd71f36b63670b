import { Client, type StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The answer of a tool. */
export interface CallReply {
  /** The first text: a sentence about the content, or the error. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever they requested.
  readonly content: any;
  readonly isError: boolean;
  /** The whole result, as sent. */
  readonly raw: string;
}

/** A connected client of the protocol. */
export interface Session {
  /** Returns the names of the tools, as listed. */
  tools(): Promise<string[]>;
  /** Returns the tools, as listed. */
  listed(): Promise<Awaited<ReturnType<Client['listTools']>>['tools']>;
  call(name: string, sent?: Record<string, unknown>): Promise<CallReply>;
  readonly client: Client;
}

/** The eras of the protocol: handshake and session, or single requests. */
export const ERAS = ['legacy', 'auto'] as const;

/** Connects a client, which checks every answer against the schema of its tool. */
export async function connect(
  transport: Parameters<Client['connect']>[0] | StreamableHTTPClientTransport,
  mode: (typeof ERAS)[number] = 'auto',
): Promise<Session> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  // The client knows the schemas of answers from the list.
  await client.listTools();
  return {
    client,
    listed: async () => (await client.listTools()).tools,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, sent = {}) {
      const result = await client.callTool({ name, arguments: sent });
      const [first, second] = result.content;
      const isError = result.isError === true;
      if (!isError && second?.type === 'text') {
        // Clients without structured content read the same as text.
        const same = JSON.parse(second.text);
        if (JSON.stringify(same) !== JSON.stringify(result.structuredContent)) throw new Error('The contents differ');
      }
      return {
        text: first?.type === 'text' ? first.text : '',
        content: result.structuredContent,
        isError,
        raw: JSON.stringify(result),
      };
    },
  };
}
