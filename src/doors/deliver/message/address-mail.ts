import type { OwnRows } from '../content/own-rows.ts';
import type { EachRecipient } from '../setup/delivery-setup.ts';
import { findAddressFault, isOfRecords } from '../setup/read-targets.ts';
import type { DeliveryMessage } from './delivery-message.ts';

type MailMessage = Extract<DeliveryMessage, { kind: 'email' }>;

/** Returns a mail for each address of a recipient; for a recipient without one, a mail with a fault. */
export function addressMail(
  mail: Omit<MailMessage, 'key' | 'to'>,
  each: EachRecipient,
  { id, name, addresses }: OwnRows,
  domains: readonly string[],
): DeliveryMessage[] {
  const key = `${each}:${id}`;
  if (addresses.length === 0) {
    const place = isOfRecords(each) ? 'in the records' : `of its own in addresses: name it by its id, ${id}`;
    return [{ ...mail, to: '', key, fault: `${name} has no address ${place}` }];
  }
  return addresses.map((to) => {
    const wrong = findAddressFault(to, domains);
    const fault = wrong === undefined ? {} : { fault: `The address ${wrong}, so nothing goes there` };
    return { ...mail, to, key: `${key}:${to}`, ...fault };
  });
}
