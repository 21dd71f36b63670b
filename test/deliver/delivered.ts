import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { onTestFinished, vi } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { openFileData } from '../../src/doors/deliver/content/open-file-data.ts';
import { type Deliverer, openDeliverer } from '../../src/doors/deliver/deliverer.ts';
import { openDeliveryLog } from '../../src/doors/deliver/occurrence/delivery-log.ts';
import type { DeliverySetup } from '../../src/doors/deliver/setup/delivery-setup.ts';
import { parseSetup } from '../../src/doors/deliver/setup/read-setup.ts';
import { copyLoaded } from '../loaded.ts';

/** A process that delivers, with a clock that the test moves. */
export interface Delivered {
  readonly folder: string;
  readonly database: string;
  readonly deliverer: Deliverer;
  /** All that it told: sendings and what was held. */
  readonly told: string[];
  /** Sets the clock, and lets it do what is due. */
  at(moment: string): Promise<void>;
  /** Sets the clock, and lets it begin what is due. */
  beginAt(moment: string): Promise<void>;
  /** Gives it another file. */
  setup(text: string): void;
  /** Ends the process and begins another one on the same files. */
  restart(): Promise<void>;
}

const SERVER = 'page: https://reports.example.com\n';

/** Opens the company of the fixtures, and a process that delivers its reports by a file. @param prepare Changes the database before. */
export async function openDelivered(
  text: string,
  moment: string,
  environment: Record<string, string> = {},
  prepare: (database: string) => Promise<void> = async () => undefined,
): Promise<Delivered> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-deliver-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await copyLoaded('delivered', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
  const database = join(folder, 'company.duckdb');
  await prepare(database);
  let now = new Date(moment);
  const told: string[] = [];
  const { data, close } = await openFileData(database, 512);
  const company = data.company();
  const read = (written: string): DeliverySetup =>
    parseSetup(SERVER + written.replaceAll('FOLDER', folder), 'deliveries.yaml', {
      catalogues: data.catalogues,
      days: { today: moment.slice(0, 10), company },
      environment,
    });
  let setup = read(text);
  const start = async () => {
    const log = await openDeliveryLog(database);
    const stopping = new AbortController();
    const deliverer = await openDeliverer({
      data,
      log,
      setup: () => setup,
      now: () => now,
      signal: stopping.signal,
      listener: {
        sent: (name, key, result, why) =>
          void told.push(`${name} ${key} ${result}${why === undefined ? '' : `: ${why}`}`),
        held: (name, why) => void told.push(`${name} held: ${why}`),
        resumed: (name) => void told.push(`${name} resumed`),
      },
    });
    const stop = async () => {
      stopping.abort(new AppError('storage', 'The program is stopping'));
      await deliverer.idle();
      await log.close();
    };
    return { deliverer, stop };
  };
  let process = await start();
  onTestFinished(async () => {
    await process.stop();
    await close();
  });
  return {
    folder,
    database,
    told,
    get deliverer() {
      return process.deliverer;
    },
    async at(next) {
      now = new Date(next);
      await process.deliverer.advance();
      await process.deliverer.idle();
    },
    async beginAt(next) {
      now = new Date(next);
      await process.deliverer.advance();
    },
    setup: (next) => {
      setup = read(next);
    },
    async restart() {
      await process.stop();
      process = await start();
    },
  };
}

/** A mail server on this machine, which may be made to misbehave. */
export interface MailReceiver {
  /** Its part of a file. */
  readonly smtp: string;
  readonly mails: Email[];
  /** Called before a recipient or a sender is taken; an error refuses it. */
  onRecipient: (address: string) => Error | undefined;
  onSender: (address: string) => Error | undefined;
  /** Returns false to take a mail and break off without an answer. */
  onMail: () => boolean;
}

interface SmtpConnection {
  readonly id: string;
  close(): void;
}

/**
 * Starts a mail server with the certificate of smtp-server.
 * @param security TLS from the first byte, STARTTLS, or nothing that protects a mail.
 */
export async function startMailServer(security: 'tls' | 'starttls' | 'none' = 'tls'): Promise<MailReceiver> {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const mails: Email[] = [];
  const receiver: MailReceiver = {
    smtp: '',
    mails,
    onRecipient: () => undefined,
    onSender: () => undefined,
    onMail: () => true,
  };
  const server = new SMTPServer({
    secure: security === 'tls',
    disabledCommands: security === 'none' ? ['STARTTLS'] : [],
    authOptional: true,
    logger: false,
    onMailFrom: ({ address }, _session, done) => done(receiver.onSender(address)),
    onRcptTo: ({ address }, _session, done) => done(receiver.onRecipient(address)),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.push(mail);
          if (receiver.onMail()) done();
          else
            [...server.connections]
              .map((each) => each as SmtpConnection)
              .find(({ id }) => id === session.id)
              ?.close();
        });
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(receiver, {
    smtp: `smtp: {host: 127.0.0.1, port: ${port}, tls: ${security === 'tls'}, from: "Reports <reports@example.com>"}\ndomains: [example.com, harbourpine.example]\n`,
  });
}

/** A receiver of webhooks. */
export interface HookReceiver {
  readonly url: string;
  readonly requests: { readonly headers: IncomingMessage['headers']; readonly body: string }[];
  /** The answer to the next requests. */
  answer: { status: number; body: string; headers?: Record<string, string> };
}

export async function startHooks(): Promise<HookReceiver> {
  const requests: HookReceiver['requests'] = [];
  const receiver = { url: '', requests, answer: { status: 200, body: '' } } as {
    -readonly [K in keyof HookReceiver]: HookReceiver[K];
  };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(receiver.answer.status, receiver.answer.headers).end(receiver.answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => void server.close());
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}
