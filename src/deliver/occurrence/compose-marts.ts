import type { DeliveryMessage } from '../message/delivery-message.ts';
import { keyOfSchema } from '../message/target-key.ts';
import type { DeliveryPlan } from '../setup/delivery-setup.ts';
import type { Composed } from './composing.ts';

/** Makes the messages of a delivery of marts: one for each schema. */
export function composeMarts(
  { targets, seesRates }: DeliveryPlan,
  marts: NonNullable<DeliveryPlan['marts']>,
  dataVersion: string,
): Composed {
  const messages = targets.flatMap((target): DeliveryMessage[] =>
    target.kind === 'postgres' ? [{ key: keyOfSchema(target), kind: 'postgres', marts, hasRates: seesRates }] : [],
  );
  return { messages, dataVersion, period: '', rows: null };
}
