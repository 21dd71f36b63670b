import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { DeliveryMessage } from './message/delivery-message.ts';
import { type ComposingParts, composeOccurrence } from './occurrence/compose-occurrence.ts';
import { readHistory } from './occurrence/delivery-log.ts';
import { describeNothing } from './occurrence/describe-nothing.ts';
import { spellOccurrence } from './occurrence/due-moments.ts';
import { openOutboxIn } from './occurrence/outbox.ts';
import { type MailContext, mailOf } from './sender/mail-sender.ts';
import type { DeliveryPlan } from './setup/delivery-setup.ts';

export interface DryDelivery {
  /** A line for each message: its target, and its file or its fault. */
  readonly lines: readonly string[];
  /** Why there is none. */
  readonly nothing: string | undefined;
}

/**
 * Writes what an occurrence would send into a folder, mails as files of mail programs, and sends nothing.
 */
export async function runDry(parts: ComposingParts, plan: DeliveryPlan, folder: string): Promise<DryDelivery> {
  const { data, setup, now } = parts;
  const moment = now().toISOString();
  const occurrence = { id: spellOccurrence(plan.name, 'now-dry'), name: plan.name, moment, isLate: false };
  const { database } = data;
  const context = { occurrence: occurrence.id, madeAt: now(), folder, isUnsure: false };
  const { from = '' } = setup().mail ?? {};
  const outbox = await openOutboxIn(folder);
  const composed = await composeOccurrence(parts, plan, occurrence, await readHistory(database), outbox);
  const lines: string[] = [];
  for (const [index, message] of composed.messages.entries())
    lines.push(await writeMessage(message, index + 1, from, context));
  return { lines, nothing: lines.length === 0 ? describeNothing(composed) : undefined };
}

async function writeMessage(
  message: DeliveryMessage,
  number: number,
  from: string,
  context: MailContext,
): Promise<string> {
  const { key, kind, fault } = message;
  if (fault !== undefined) return `${key}: ${fault}`;
  if (message.kind === 'postgres') return `${key}: ${message.marts === 'all' ? 'all marts' : message.marts.join(', ')}`;
  if ('files' in message) return `${key}: ${message.files.map(({ name }) => name).join(', ')}`;
  const file = `${number}-${kind}.${kind === 'email' ? 'eml' : 'json'}`;
  await writeFile(join(context.folder, file), await bytesOfMessage(message, from, context), { mode: 0o600 });
  return `${key}: ${file}`;
}

async function bytesOfMessage(
  message: Exclude<DeliveryMessage, { files: unknown } | { kind: 'postgres' }>,
  from: string,
  context: MailContext,
): Promise<string | Buffer> {
  if (message.kind !== 'email') return message.body;
  const transport = createTransport({ streamTransport: true, buffer: true });
  const { message: bytes } = await transport.sendMail(mailOf(message, { from }, context));
  return bytes as Buffer;
}
