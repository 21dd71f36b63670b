import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The step of an answer over HTTP after which a server says nothing more, or all too little. */
export const SILENCES = ['no answer', 'no end of the head', 'no body', 'a byte now and then'] as const;

export type Silence = (typeof SILENCES)[number];

/** The pause between two bytes of a body that never ends. Unit: ms. */
const DRIP_MS = 50;

export interface SilentServer {
  readonly url: URL;
  /** Waits until a request has arrived. */
  readonly asked: Promise<void>;
}

/**
 * Starts a server that takes requests and never answers one whole, until the test is finished.
 * @param first The bodies of answers that it gives before, one for each request.
 */
export async function startSilentServer(
  silence: Silence,
  first: readonly ((url: URL) => unknown)[] = [],
): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  let answered = 0;
  let tellAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => {
      const body = first[answered]?.(url);
      answered += 1;
      if (body !== undefined) return send(socket, JSON.stringify(body));
      tellAsked();
      fallSilent(socket, silence);
    });
  });
  onTestFinished(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  return { url, asked };
}

function send(socket: Socket, body: string): void {
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

function fallSilent(socket: Socket, silence: Silence): void {
  if (silence === 'no answer') return;
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n');
  if (silence === 'no end of the head') return;
  socket.write('content-length: 1000000\r\n\r\n');
  if (silence === 'no body') return;
  const timer = setInterval(() => socket.write(' '), DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}
