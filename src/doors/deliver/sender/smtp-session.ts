import { once } from 'node:events';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { SMTPEnvelope } from 'nodemailer/lib/smtp-connection';
import type { Conversation } from '../../counterpart/converse.ts';
import type { MailServer } from '../setup/delivery-setup.ts';
import { resolvePrivateHost } from '../setup/private-address.ts';

export interface ComposedMail {
  readonly envelope: SMTPEnvelope;
  readonly message: Readable;
}

/**
 * Sends a mail over a connection of its own.
 * @param onWritten Called once the server has the whole mail, before it says whether it takes it.
 */
export async function sendOverSmtp(
  server: MailServer,
  { envelope, message }: ComposedMail,
  conversation: Conversation,
  onWritten: () => void,
): Promise<void> {
  const { limits, signal, step } = conversation;
  const { host, port, security, user, password = '' } = server;
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const socket = await openSocket(server, conversation);
  const smtp = new Connection({
    host,
    port,
    connection: socket,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
  });
  const broken = new Promise<never>((_, reject) => smtp.on('error', reject));
  const talk = async () => {
    step(security === 'none' ? 'to greet' : 'to greet and to begin TLS', limits.connectMs);
    await answered((done) => smtp.connect(done));
    if (user !== undefined && smtp.allowsAuth) {
      step('to check the user and the password', limits.connectMs);
      await answered((done) => smtp.login({ user, credentials: { user, pass: password } }, done));
    }
    step('to take the sender and the recipient', limits.answerMs);
    // Nothing of it is read before the server asks for it.
    const mail = Readable.from(watchMail(message, conversation, onWritten), { highWaterMark: 1 });
    await answered((done) => smtp.send(envelope, mail, done));
  };
  try {
    await Promise.race([talk(), broken]);
  } finally {
    smtp.close();
    // The program may have no reason to go on but a server that keeps the connection open.
    if (signal.aborted) socket.destroy();
    else setTimeout(() => socket.destroy(), limits.endMs).unref();
  }
}

async function openSocket(
  { host, port, security }: MailServer,
  { limits, signal, step }: Conversation,
): Promise<Socket> {
  step('to take the connection', limits.connectMs);
  const addresses = security === 'none' ? await resolvePrivateHost(host) : undefined;
  const [first] = addresses ?? [];
  const lookup: LookupFunction = (_host, { all }, done) =>
    all ? done(null, addresses ?? []) : done(null, first?.address ?? '', first?.family);
  const socket = connect({ host, port, ...(addresses && { lookup }) });
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  await once(socket, 'connect');
  return socket;
}

/** Waits for a call of nodemailer that answers by a callback. */
function answered(call: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())));
}

/** Passes on the text of a mail as the server takes it, and notes how far that is. */
async function* watchMail(
  message: Readable,
  { limits, step }: Conversation,
  onWritten: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of message) {
    step('to take the mail', limits.answerMs);
    yield piece as Uint8Array;
  }
  step('to say whether it takes the mail', limits.takenMs);
  onWritten();
}
