import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { TIME_LIMITS, type TimeLimits } from '../../src/doors/counterpart/time-limits.ts';
import type { DeliveryMessage } from '../../src/doors/deliver/message/delivery-message.ts';
import { keyOfAddress } from '../../src/doors/deliver/message/target-key.ts';
import { sendMessage } from '../../src/doors/deliver/sender/send-message.ts';
import { idOfSending, type SendingContext } from '../../src/doors/deliver/sender/sending-context.ts';
import { UnsureError } from '../../src/doors/deliver/sender/unsure-error.ts';
import type { MailServer } from '../../src/doors/deliver/setup/delivery-setup.ts';
import { withPostgres } from '../../src/doors/postgres/connect.ts';
import { eventually } from '../eventually.ts';
import { readChildren } from '../sandbox/company.ts';
import {
  type HookStep,
  type MailStep,
  type PostgresStep,
  type SilentServer,
  startSilent,
  startSilentHook,
  startSilentMail,
  startSilentPostgres,
} from './silent.ts';

/** The limits of the tests: long enough for a busy machine to reach the step that is silent. Unit: ms. */
const LIMITS = {
  connectMs: 1_000,
  answerMs: 1_000,
  takenMs: 1_500,
  statementMs: 500,
  messageMs: 3_000,
  filesMs: 3_000,
  endMs: 100,
};

type Try = (context: SendingContext, port: number) => Promise<unknown>;

function contextOf(signal: AbortSignal): SendingContext {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-silent-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'a.csv'), 'name\n');
  const setup = {
    page: undefined,
    mail: undefined,
    domains: ['example.com'],
    maxAttachmentBytes: 1,
    accessFile: undefined,
  };
  const plan = { name: 'daily', when: 'closed', report: 'clients', marts: undefined, parameters: {}, where: undefined };
  const rights = { formats: [], seesRates: false, hasOwnRights: false, only: undefined };
  const times = { maxAgeSeconds: undefined, waitSeconds: 0 };
  return {
    database: join(folder, 'company.duckdb'),
    setup: { ...setup, plans: [] },
    plan: { ...plan, ...rights, ...times, targets: [], alert: undefined },
    occurrence: 'daily@1',
    madeAt: new Date(0),
    folder,
    isUnsure: false,
    now: () => new Date(0),
    compute: (work) => work(),
    limits: LIMITS,
    signal,
  };
}

function mailBy(security: MailServer['security'], user?: string): Try {
  return (context, port) => {
    const mail = { host: '127.0.0.1', port, security, user, password: 'x', from: 'a@example.com' };
    const message = { kind: 'email', key: 'email:b@example.com', to: 'b@example.com' } as const;
    const words = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', attachments: [] };
    return sendMessage({ ...message, ...words }, { ...context, setup: { ...context.setup, mail } });
  };
}

function hookBy(scheme: string): Try {
  return (context, port) => {
    const url = `${scheme}://127.0.0.1:${port}/hook`;
    const targets = [{ kind: 'webhook', url, secret: undefined }] as const;
    const message = { kind: 'webhook', key: keyOfAddress('webhook', url), body: '{}' } as const;
    return sendMessage(message, { ...context, plan: { ...context.plan, targets } });
  };
}

const bucket: Try = (context, port) => {
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${port}`);
  return sendMessage(
    { kind: 's3', key: 's3:s3://lake', place: 's3://lake', files: [{ name: 'a.csv', stored: 'a.csv' }] },
    context,
  );
};

/** Puts a file into a folder. A file that can't be opened stands for a disk that hangs: the call to it doesn't end. */
const hangingFolder: Try = (context) => {
  const place = join(context.folder, 'place');
  mkdirSync(place);
  execFileSync('mkfifo', [join(context.folder, 'hanging')]);
  const files = [{ name: 'a.csv', stored: 'hanging' }];
  // A busy machine takes a while to begin the process.
  const limits = { ...context.limits, answerMs: TIME_LIMITS.answerMs };
  return sendMessage({ kind: 'folder', key: `folder:${place}`, place, files }, { ...context, limits });
};

const postgres: Try = (context, port) =>
  withPostgres(`postgres://127.0.0.1:${port}/db`, context, (session) => session.query('SELECT 1'));

async function startSilentSmtp(options: SMTPServerOptions): Promise<SilentServer> {
  const server = new SMTPServer({ secure: true, logger: false, disabledCommands: ['STARTTLS'], ...options });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => void server.close());
  return { port: (server.server.address() as AddressInfo).port, open: () => server.connections.size };
}

/** Starts nothing: the process that writes into a folder is what a folder has open. */
const startFolder = async (): Promise<SilentServer> => ({ port: 0, open: () => readChildren().length });

const quiet = () => undefined;

const onTls = (options: SMTPServerOptions) => startSilentSmtp(options);
const atMail = (step: MailStep) => startSilentMail(step);
const atHook = (step: HookStep) => startSilentHook(step);
const atPostgres = (step: PostgresStep) => startSilentPostgres(step);

/** Each silent counterpart: where it stops, how it is started, who talks with it, and the step that the sentence names. */
const COUNTERPARTS: readonly (readonly [name: string, () => Promise<SilentServer>, Try, RegExp])[] = [
  ['a relay says nothing', startSilent, mailBy('none'), /took longer than 1 s to greet$/],
  ['a mail server begins no TLS', startSilent, mailBy('tls'), /took longer than 1 s to greet and to begin TLS$/],
  ['it says nothing after TLS', () => onTls({ onConnect: quiet }), mailBy('tls'), /1 s to greet and to begin TLS$/],
  ['its greeting has no end', () => atMail('trickle'), mailBy('none'), /took longer than 1 s to greet$/],
  ['it greets, and no more', () => atMail('EHLO'), mailBy('none'), /took longer than 1 s to greet$/],
  ['it checks no password', () => atMail('AUTH'), mailBy('none', 'ada'), /1 s to check the user and the password$/],
  ['it signs nobody in by TLS', () => onTls({ onAuth: quiet }), mailBy('tls', 'ada'), /the user and the password$/],
  ['it takes no sender', () => atMail('MAIL'), mailBy('none'), /1 s to take the sender and the recipient$/],
  ['it takes no recipient', () => atMail('RCPT'), mailBy('none'), /1 s to take the sender and the recipient$/],
  ['it takes no text', () => atMail('DATA'), mailBy('none'), /1 s to take the sender and the recipient$/],
  ['it says nothing after the text', () => atMail('TEXT'), mailBy('none'), /1.5 s to say whether it takes the mail$/],
  ['a receiver begins no TLS', startSilent, hookBy('https'), /took longer than 1 s to begin TLS$/],
  ['a receiver answers nothing', () => atHook('answer'), hookBy('http'), /took longer than 1 s to answer$/],
  ['it sends headers alone', () => atHook('body'), hookBy('http'), /took longer than 1 s to end its answer$/],
  ['its answer has no end', () => atHook('trickle'), hookBy('http'), /took longer than 1 s to end its answer$/],
  ['PostgreSQL says nothing', startSilent, postgres, /^PostgreSQL at .* took longer than 1 s to let the role in$/],
  ['it lets nobody in', () => atPostgres('sign-in'), postgres, /took longer than 1 s to let the role in$/],
  ['it answers no statement', () => atPostgres('statement'), postgres, /took longer than 1.5 s to answer a statement$/],
  ['its notices have no end', () => atPostgres('notices'), postgres, /took longer than 1.5 s to answer a statement$/],
  ['a bucket says nothing', startSilent, bucket, /took longer than 1 s to answer$/],
  ['a bucket sends headers alone', () => atHook('body'), bucket, /took longer than 1 s to answer$/],
  ['a folder takes no file', startFolder, hangingFolder, /^The folder .* took longer than 3 s to take everything$/],
  ['the answer of a bucket has no end', () => atHook('trickle'), bucket, /1.5 s to take a part of a file$/],
];

/** The counterparts that may have taken the message before they were silent. */
const UNSURE = [
  'it says nothing after the text',
  'a receiver answers nothing',
  'it sends headers alone',
  'its answer has no end',
];

function prepare(): void {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const aws = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'ada', AWS_SECRET_ACCESS_KEY: 'private-key' };
  for (const [name, value] of Object.entries({ ...aws, AWS_MAX_ATTEMPTS: '1' })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

it.each(COUNTERPARTS)(
  '%s: the sending fails, says at which step, and cuts the connection off',
  {
    tags: ['slow'],
  },
  async (name, start, send, sentence) => {
    prepare();
    const server = await start();
    const error = await send(contextOf(new AbortController().signal), server.port).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: expect.stringMatching(sentence) });
    expect(error instanceof UnsureError).toBe(UNSURE.includes(name));
    await eventually(() => expect(server.open()).toBe(0));
  },
);

it.each(COUNTERPARTS)('%s: a stop waits for nothing, and cuts the connection off', async (_name, start, send) => {
  prepare();
  const server = await start();
  const stopping = new AbortController();
  const outcome = send({ ...contextOf(stopping.signal), limits: TIME_LIMITS }, server.port).catch(
    (error: Error) => error.message,
  );
  await eventually(() => expect(server.open()).toBe(1));
  stopping.abort(new AppError('storage', 'The server is stopping'));
  expect(await outcome).toBe('The server is stopping');
  await eventually(() => expect(server.open()).toBe(0));
});

it('a folder that says nothing fails, and a later try takes away what a killed one left', async () => {
  const context = contextOf(new AbortController().signal);
  const place = join(context.folder, 'place');
  mkdirSync(place);
  const send = (limits: Partial<TimeLimits>) =>
    sendMessage(
      { kind: 'folder', key: `folder:${place}`, place, files: [{ name: 'a.csv', stored: 'a.csv' }] },
      { ...context, limits: { ...TIME_LIMITS, ...limits } },
    );
  // No process begins within a millisecond.
  await expect(send({ answerMs: 1 })).rejects.toThrow(
    `The folder ${place} took longer than 0.001 s to say what is there`,
  );
  await eventually(() => expect(readChildren()).toEqual([]));
  const id = idOfSending({ key: `folder:${place}` } as DeliveryMessage, context).slice(0, 16);
  writeFileSync(join(place, `.a.csv.part-${id}.1`), 'na');
  writeFileSync(join(place, '.a.csv.part-0123456789abcdef.1'), 'of another sending');
  await send({});
  expect(readdirSync(place).sort()).toEqual(['.a.csv.part-0123456789abcdef.1', 'a.csv']);
  expect(readFileSync(join(place, 'a.csv'), 'utf8')).toBe('name\n');
});
