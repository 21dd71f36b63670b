import { createHmac } from 'node:crypto';
import { addressFailure } from '../../connection-failure.ts';
import { AppError, messageOf } from '../../error.ts';
import { formatForeign } from '../../foreign-text.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import { findAddress } from '../message/target-key.ts';
import type { SendingAnswer } from '../occurrence/delivery-events.ts';
import { idOfSending, type SendingContext } from './sending-context.ts';
import { UnsureError } from './unsure-error.ts';

/** The time for a receiver to answer. Unit: ms. */
const ANSWER_TIMEOUT_MS = 30_000;

/** The part of an answer that is read. Unit: bytes. */
export const MAX_RECEIVED_BYTES = 65_536;

const ACCEPTED = 202;

/** Sends JSON to a webhook, Slack or Teams. @throws AppError source; UnsureError if the request was sent and no answer came. */
export async function sendBody(
  message: Extract<DeliveryMessage, { body: string }>,
  context: SendingContext,
): Promise<SendingAnswer> {
  const target = findAddress(context.plan.targets, message.key);
  if (!target) {
    throw new AppError('source', `deliveries.yaml has no ${message.kind} with this address any more`, {
      hint: 'Put it back, or let the occurrence end.',
    });
  }
  const url = new URL(target.url);
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': idOfSending(message, context),
    ...(target.kind === 'webhook' && target.secret !== undefined
      ? sign(message.body, target.secret, context.now())
      : {}),
  };
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const request = { method: 'POST', headers, body: message.body, redirect: 'manual', signal } as const;
  const answer = await fetch(url, request).catch((error: unknown) => {
    throw connectionError(url, error);
  });
  const text = await readStart(answer).catch((error: unknown) => {
    throw connectionError(url, error);
  });
  assertTaken(message.kind, url, answer, text);
  return answer.status === ACCEPTED ? 'accepted' : 'sent';
}

/** Returns the headers of a signature: HMAC-SHA256 of the time, a full stop and the body. */
function sign(body: string, secret: string, now: Date): Readonly<Record<string, string>> {
  const time = String(Math.floor(now.getTime() / 1000));
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return { 'x-plumbline-time': time, 'x-plumbline-signature': `sha256=${digest}` };
}

/** @throws AppError source for an answer that refuses the message, also one that does so with a status of success. */
function assertTaken(kind: string, { host }: URL, { status, ok }: Response, text: string): void {
  const said = text.trim() === '' ? '' : `: ${formatForeign(text.trim())}`;
  if (status >= 300 && status < 400) {
    throw new AppError('source', `${host} redirects (status ${status}), which isn't followed`, {
      hint: 'Give the address that it redirects to.',
    });
  }
  if (!ok) throw new AppError('source', `${host} answered with status ${status}${said}`);
  if (refuses(kind, text)) throw new AppError('source', `${host} answered with status ${status}, and an error${said}`);
}

/** Tells whether an answer with a status of success says that the message wasn't taken. */
function refuses(kind: string, text: string): boolean {
  try {
    const { error, ok } = (JSON.parse(text) ?? {}) as { error?: unknown; ok?: unknown };
    return ok === false || (error !== undefined && error !== null && error !== false);
  } catch {
    return kind !== 'webhook' && /error|failed|invalid/i.test(text);
  }
}

/** Reads the beginning of an answer. */
async function readStart({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  if (!body) return text;
  for await (const chunk of body) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_RECEIVED_BYTES) break;
  }
  return text;
}

function connectionError(url: URL, error: unknown): AppError {
  const failure = addressFailure(url, error);
  if (failure) return new AppError('source', failure.message, { hint: failure.hint, cause: error });
  if ((error as Error).name === 'TimeoutError')
    return new UnsureError('source', `${url.host} didn't answer within ${ANSWER_TIMEOUT_MS / 1000} s`, {
      cause: error,
    });
  const reason = error instanceof Error && error.cause ? messageOf(error.cause) : messageOf(error);
  return new UnsureError('source', `${url.host} can't be reached: ${formatForeign(reason)}`, { cause: error });
}
