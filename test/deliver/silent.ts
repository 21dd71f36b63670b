import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A counterpart that stops answering at some step, or never ends a step. */
export interface SilentServer {
  readonly port: number;
  /** The connections that it has taken, and that the other side hasn't cut off. */
  open(): number;
}

/** Starts a server that hands each connection to a script, and never ends one by itself. */
async function listen(server: Server): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  const all: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    const forget = () => void sockets.delete(socket);
    sockets.add(socket);
    all.push(socket);
    socket.on('error', () => undefined).on('close', forget);
    // It never ends a connection itself.
    socket.on('end', forget);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of all) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, open: () => sockets.size };
}

/** Starts a server that takes connections and says nothing. */
export function startSilent(): Promise<SilentServer> {
  return listen(createServer({ allowHalfOpen: true }, (socket) => void socket.resume()));
}

/** The time between two bytes of a counterpart that trickles. Unit: ms. */
const TRICKLE_MS = 10;

/** Repeats a text for ever, a byte at a time or whole. */
function repeat(socket: Socket, text: Buffer | string): void {
  const timer = setInterval(() => void socket.write(text), TRICKLE_MS);
  socket.on('close', () => clearInterval(timer)).on('error', () => clearInterval(timer));
}

/** The steps of SMTP after which a server may be silent. */
export type MailStep = 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'TEXT' | 'trickle';

/** Starts a relay without TLS that answers all commands up to a step, and then nothing more. */
export function startSilentMail(step: MailStep): Promise<SilentServer> {
  const answers: readonly [RegExp, MailStep, string][] = [
    [/^EHLO/, 'EHLO', '250-silent\r\n250 AUTH PLAIN\r\n'],
    [/^AUTH/, 'AUTH', '235 welcome\r\n'],
    [/^MAIL/, 'MAIL', '250 fine\r\n'],
    [/^RCPT/, 'RCPT', '250 fine\r\n'],
    [/^DATA/, 'DATA', '354 go on\r\n'],
    [/\r\n\.\r\n$/, 'TEXT', '250 taken\r\n'],
  ];
  return listen(
    createServer({ allowHalfOpen: true }, (socket) => {
      let isSilent = false;
      if (step === 'trickle') {
        socket.write('220');
        return repeat(socket, '-');
      }
      socket.write('220 silent\r\n');
      let text = '';
      socket.on('data', (data) => {
        text += data.toString('latin1');
        const found = answers.find(([command]) => command.test(text));
        if (!found || isSilent) return;
        text = '';
        isSilent = found[1] === step;
        if (!isSilent) socket.write(found[2]);
      });
    }),
  );
}

/** The steps of HTTP after which a receiver may be silent. */
export type HookStep = 'answer' | 'body' | 'trickle';

/** Starts a receiver of requests that answers nothing, headers alone, or an answer without an end. */
export function startSilentHook(step: HookStep): Promise<SilentServer> {
  return listen(
    createHttpServer((request, response) => {
      request.resume();
      if (step === 'answer') return;
      response.writeHead(200).flushHeaders();
      if (step === 'trickle' && response.socket) {
        const timer = setInterval(() => void response.write(' '), TRICKLE_MS);
        response.on('close', () => clearInterval(timer));
      }
    }),
  );
}

/** The steps of PostgreSQL after which a server may be silent. */
export type PostgresStep = 'sign-in' | 'statement' | 'notices';

const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};

/** The messages that let a role in, and that say that a statement may come. */
const LET_IN = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);

const NOTICE = message('N', Buffer.from('SNOTICE\0C00000\0Mstill here\0\0', 'latin1'));

/** Starts a server that lets nobody in, answers no statement, or sends notices for ever in place of an answer. */
export function startSilentPostgres(step: PostgresStep): Promise<SilentServer> {
  return listen(
    createServer({ allowHalfOpen: true }, (socket) => {
      socket.once('data', () => {
        if (step !== 'sign-in') socket.write(LET_IN);
        if (step === 'notices') repeat(socket, NOTICE);
      });
    }),
  );
}
