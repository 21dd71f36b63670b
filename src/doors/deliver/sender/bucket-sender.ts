import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf, systemCodeOf } from '../../../base/index.ts';
import { converse } from '../../counterpart/converse.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import type { SendingContext } from './sending-context.ts';

/** The most times that one request is sent in a row, unless AWS_MAX_ATTEMPTS says otherwise: the delivery is tried again anyway. */
const MAX_TRIES = 2;

/** Puts the files into a bucket, by the store of the lake. @throws AppError storage; usage without the optional packages. */
export async function sendToBucket(
  { place, files }: Extract<DeliveryMessage, { kind: 'folder' | 's3' }>,
  context: SendingContext,
): Promise<'sent'> {
  const { folder, limits } = context;
  const { openS3Store } = await import('../../../cluster/lake/s3-store.ts').catch(explainMissing);
  await converse(place, context, limits.filesMs, async ({ signal, step, rest }) => {
    const store = openS3Store(place, join(folder, 'bucket-'), {
      connectMs: limits.connectMs,
      idleMs: limits.answerMs,
      tries: MAX_TRIES,
      signal,
      // A part has this time altogether: one that comes a byte at a time is never idle.
      onRequest: () => step('to take a part of a file', limits.takenMs),
    });
    for (const { name, stored } of files)
      await store.write(name, (path) => copyFile(join(folder, stored), path)).finally(rest);
  });
  return 'sent';
}

/** @throws AppError usage if one of the optional packages isn't installed. */
function explainMissing(cause: unknown): never {
  const name = /'(@aws-sdk\/[^'/]+)/.exec(messageOf(cause))?.[1];
  if (systemCodeOf(cause) !== 'ERR_MODULE_NOT_FOUND' || name === undefined) throw cause;
  throw new AppError('usage', `A target in a bucket needs the package ${name}, which isn't installed`, {
    hint: 'Run: npm install @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3',
    cause,
  });
}
