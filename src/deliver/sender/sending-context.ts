import { createHash } from 'node:crypto';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import type { DeliveryPlan, DeliverySetup } from '../setup/delivery-setup.ts';

/** A message on its way. */
export interface SendingContext {
  /** The path of the database. */
  readonly database: string;
  readonly setup: DeliverySetup;
  readonly plan: DeliveryPlan;
  /** The id of the occurrence: with the key of the message, it names the sending for whoever gets it. */
  readonly occurrence: string;
  /** When the message was made. */
  readonly madeAt: Date;
  /** The folder of its files. */
  readonly folder: string;
  /** True if an earlier try may have arrived. */
  readonly isUnsure: boolean;
  readonly now: () => Date;
}

/** Returns what names a sending for whoever gets it: the same at each try. Form: 32 hexadecimal digits. */
export function idOfSending({ key }: DeliveryMessage, { occurrence }: Pick<SendingContext, 'occurrence'>): string {
  return createHash('sha256').update(`${occurrence}\n${key}`).digest('hex').slice(0, 32);
}
