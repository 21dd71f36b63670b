/*
 * The door of this room: sends a message of an occurrence, one file a kind of target. A kind is a line of SENDERS; what it needs
 * beside the message is in the setup, so that no secret is kept with the bytes.
 */
import type { DeliveryMessage } from '../message/delivery-message.ts';
import type { SendingAnswer } from '../occurrence/delivery-events.ts';
import { sendBody } from './body-sender.ts';
import { sendToBucket } from './bucket-sender.ts';
import { sendToFolder } from './folder-sender.ts';
import { sendMail } from './mail-sender.ts';
import { sendToPostgres } from './postgres-sender.ts';
import type { SendingContext } from './sending-context.ts';

type MessageOf<Kind> = Extract<DeliveryMessage, { kind: Kind }>;

type Sender<Kind> = (message: MessageOf<Kind>, context: SendingContext) => Promise<SendingAnswer>;

const SENDERS: { readonly [Kind in DeliveryMessage['kind']]: Sender<Kind> } = {
  email: sendMail,
  folder: sendToFolder,
  s3: sendToBucket,
  webhook: sendBody,
  slack: sendBody,
  teams: sendBody,
  postgres: sendToPostgres,
};

/** Sends a message. @throws AppError that says why it can't be sent; an UnsureError if it may have arrived all the same. */
export function sendMessage(message: DeliveryMessage, context: SendingContext): Promise<SendingAnswer> {
  const send = SENDERS[message.kind] as (message: DeliveryMessage, context: SendingContext) => Promise<SendingAnswer>;
  return send(message, context);
}
