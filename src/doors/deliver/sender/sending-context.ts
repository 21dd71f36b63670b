import { createHash } from 'node:crypto';
import type { ConversationTime } from '../../counterpart/converse.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import type { DeliveryPlan, DeliverySetup } from '../setup/delivery-setup.ts';

export interface SendingContext extends ConversationTime {
  readonly database: string;
  readonly setup: DeliverySetup;
  readonly plan: DeliveryPlan;
  /** The id of the occurrence: with the key of the message, it names the sending for whoever gets it. */
  readonly occurrence: string;
  /** When the message was made. */
  readonly madeAt: Date;
  readonly folder: string;
  /** True if an earlier try may have arrived. */
  readonly isUnsure: boolean;
  readonly now: () => Date;
  /** Runs work of the engine when it is its turn. */
  readonly compute: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Returns what names a sending for whoever gets it: the same at each try. Form: 32 hexadecimal digits. */
export function idOfSending({ key }: DeliveryMessage, { occurrence }: Pick<SendingContext, 'occurrence'>): string {
  return createHash('sha256').update(`${occurrence}\n${key}`).digest('hex').slice(0, 32);
}
