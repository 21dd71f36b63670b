import { createHmac } from 'node:crypto';
import { AppError, addressFailure, formatForeign, messageOf } from '../../../base/index.ts';
import { converse } from '../../counterpart/converse.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import { findAddress } from '../message/target-key.ts';
import type { SendingAnswer } from '../occurrence/delivery-events.ts';
import { postJson, type ReceivedAnswer } from './post-json.ts';
import { idOfSending, type SendingContext } from './sending-context.ts';
import { unsureOf } from './unsure-error.ts';

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
  let isConnected = false;
  const answer = await converse(url.host, context, context.limits.messageMs, (conversation) =>
    postJson(url, headers, message.body, conversation, () => {
      isConnected = true;
    }),
  ).catch((error: unknown) => {
    throw connectionError(url, error, isConnected);
  });
  assertTaken(message.kind, url, answer);
  return answer.status === ACCEPTED ? 'accepted' : 'sent';
}

/** Returns the headers of a signature: HMAC-SHA256 of the time, a full stop and the body. */
function sign(body: string, secret: string, now: Date): Readonly<Record<string, string>> {
  const time = String(Math.floor(now.getTime() / 1000));
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return { 'x-plumbline-time': time, 'x-plumbline-signature': `sha256=${digest}` };
}

/** @throws AppError source for an answer that refuses the message, also one that does so with a status of success. */
function assertTaken(kind: string, { host }: URL, { status, text }: ReceivedAnswer): void {
  const said = text.trim() === '' ? '' : `: ${formatForeign(text.trim())}`;
  if (status >= 300 && status < 400) {
    throw new AppError('source', `${host} redirects (status ${status}), which isn't followed`, {
      hint: 'Give the address that it redirects to.',
    });
  }
  if (status < 200 || status >= 300) throw new AppError('source', `${host} answered with status ${status}${said}`);
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

/** @param isConnected True if the receiver may have got the message. */
function connectionError(url: URL, error: unknown, isConnected: boolean): AppError {
  const failure = addressFailure(url, error);
  if (failure) return new AppError('source', failure.message, { hint: failure.hint, cause: error });
  const known =
    error instanceof AppError
      ? error
      : new AppError('source', `${url.host} can't be reached: ${formatForeign(messageOf(error))}`, { cause: error });
  return isConnected ? unsureOf(known) : known;
}
