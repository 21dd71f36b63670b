import type { Readable, Writable } from 'node:stream';
import {
  deserializeMessage,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';

/** The largest message of a client. Unit: bytes. */
export const MAX_MESSAGE_BYTES = 1_048_576;

/** Codes of errors of JSON-RPC. */
const [PARSE_ERROR, INVALID_REQUEST] = [-32700, -32600];

const NEWLINE = '\n'.charCodeAt(0);

/** A connection over two streams. */
export interface StdioTransport extends Transport {
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
}

/**
 * Opens a connection that reads a message from each line of the input, and writes each to a line of the output.
 * The library's StdioServerTransport doesn't do: at the end of the input it aborts the requests in flight and answers none, so
 * `plumbline mcp < requests` would print nothing; a message that is too long closes it, and a line that is no message gets no
 * answer. This one answers both with an error and goes on, and after the end of the input it answers what is still running.
 */
export function openStdioTransport(input: Readable, output: Writable): StdioTransport {
  const lines = createLineSplitter(MAX_MESSAGE_BYTES);
  const running = new Set<unknown>();
  let hasEnded = false;
  let isClosed = false;
  let settle = () => {};
  const closed = new Promise<void>((resolve) => {
    settle = resolve;
  });

  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      output.write(text, (error) => (error ? reject(error) : resolve()));
    });
  const refuse = (code: number, message: string) =>
    write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`).catch(close);
  const closeIfDone = () => (hasEnded && running.size === 0 ? close() : undefined);

  const take = (line: Buffer | undefined) => {
    if (line === undefined) {
      refuse(INVALID_REQUEST, `The message has more than ${MAX_MESSAGE_BYTES} bytes. Send a shorter one.`);
      return;
    }
    const text = line.toString().trim();
    if (text === '') return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(text);
    } catch {
      refuse(PARSE_ERROR, 'The line is not a message of JSON-RPC 2.0.');
      return;
    }
    if (isJSONRPCRequest(message)) running.add(message.id);
    // A canceled request gets no answer.
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      running.delete(message.params?.['requestId']);
    }
    transport.onmessage?.(message);
  };
  const read = (chunk: Buffer) => {
    for (const line of lines.add(chunk)) take(line);
  };
  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    for (const line of lines.end()) take(line);
    closeIfDone();
  };
  const fail = (error: Error) => transport.onerror?.(error);
  // Nobody reads the answers any more.
  const failWriting = (error: Error) => {
    if (isClosed) return;
    fail(error);
    close();
  };

  function close(): Promise<void> {
    if (isClosed) return closed;
    isClosed = true;
    input.off('data', read).off('end', end).off('close', end).off('error', fail);
    input.pause();
    settle();
    transport.onclose?.();
    return closed;
  }

  const transport: StdioTransport = {
    closed,
    async start() {
      // The listener of errors stays: a late failure to write must not end the process.
      output.on('error', failWriting);
      input.on('error', fail).on('end', end).on('close', end).on('data', read);
    },
    async send(message) {
      await write(serializeMessage(message));
      if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
      running.delete(message.id);
      closeIfDone();
    },
    close,
  };
  return transport;
}

interface LineSplitter {
  /** Returns the lines that end in a chunk; undefined for one that is too long. */
  add(chunk: Buffer): Iterable<Buffer | undefined>;
  /** Returns the last line, which no line break ends. */
  end(): Iterable<Buffer | undefined>;
}

/** Creates a splitter that keeps no more than the bytes of a line of the largest length. */
function createLineSplitter(maxBytes: number): LineSplitter {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const keep = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= maxBytes) pieces.push(piece);
    else pieces = [];
  };
  const takeLine = () => {
    const line = bytes > maxBytes ? undefined : Buffer.concat(pieces);
    [pieces, bytes] = [[], 0];
    return line;
  };
  return {
    *add(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, at));
        yield takeLine();
        from = at + 1;
      }
      keep(chunk.subarray(from));
    },
    *end() {
      yield takeLine();
    },
  };
}
