import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Conversation } from '../../counterpart/converse.ts';

/** The part of an answer that is read. Unit: bytes. */
export const MAX_RECEIVED_BYTES = 65_536;

/** The part of a body that a receiver has to take in one step. Unit: bytes. */
const PIECE_BYTES = 65_536;

export interface ReceivedAnswer {
  readonly status: number;
  /** The beginning of its body. */
  readonly text: string;
}

/**
 * Sends JSON over a connection of its own; a redirect is an answer like any other.
 * @param onConnected Called before anything is sent.
 */
export async function postJson(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  conversation: Conversation,
  onConnected: () => void,
): Promise<ReceivedAnswer> {
  const { limits, signal, step } = conversation;
  const isSafe = url.protocol === 'https:';
  const bytes = Buffer.from(body);
  const options = { method: 'POST', headers: { ...headers, 'content-length': bytes.length }, agent: false, signal };
  step('to take the connection', limits.connectMs);
  const request = (isSafe ? requestHttps : requestHttp)(url, options);
  // Errors reach those who wait for an event. A later one would end the process without this listener.
  request.on('error', () => undefined);
  // An early answer ends the wait for it, also while the body is still being sent.
  const answer = once(request, 'response').then(([response]) => readStart(response as IncomingMessage, conversation));
  const send = async () => {
    const [socket] = await once(request, 'socket');
    if (isSafe) socket.once('connect', () => step('to begin TLS', limits.connectMs));
    await once(socket, isSafe ? 'secureConnect' : 'connect');
    onConnected();
    await pipeline(takePieces(bytes, conversation), request);
  };
  try {
    return await Promise.race([answer, send().then(() => answer)]);
  } finally {
    request.destroy();
  }
}

function* takePieces(bytes: Buffer, { limits, step }: Conversation): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    step('to take the message', limits.answerMs);
    yield bytes.subarray(start, start + PIECE_BYTES);
  }
  step('to answer', limits.answerMs);
}

async function readStart(response: IncomingMessage, { limits, step }: Conversation): Promise<ReceivedAnswer> {
  step('to end its answer', limits.answerMs);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > MAX_RECEIVED_BYTES) break;
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') };
}
