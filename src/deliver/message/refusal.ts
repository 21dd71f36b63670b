import type { DeliveryPlan, DeliverySetup } from '../setup/delivery-setup.ts';
import type { DeliveryMessage, MessageSubject } from './delivery-message.ts';
import { plainHtml } from './mail-html.ts';
import { cutText } from './mail-text.ts';
import { keyOfAddress } from './target-key.ts';

/** Makes the messages that a report isn't sent, and why. Places of files get nothing, and recipients of own rows are unknown. */
export function refuseDelivery(
  { name, targets }: DeliveryPlan,
  { page }: Pick<DeliverySetup, 'page'>,
  { delivery, occurrence, moment, state = '' }: MessageSubject,
  { company, why }: { readonly company: string | null; readonly why: string },
): DeliveryMessage[] {
  const subject = cutText([state, name, company].filter((part) => part).join(' · '), 150);
  const lines = [`${name} is not sent: ${why}`, 'It comes again at its next moment.'];
  return targets.flatMap((target): DeliveryMessage[] => {
    if (target.kind === 'email') {
      const text = `${[...lines, ...(page ? [`Open the page: ${page}`] : [])].join('\n\n')}\n`;
      const mail = { subject, text, html: plainHtml(subject, lines, page), attachments: [] };
      return target.addresses.map((to) => ({ key: `email:${to}`, kind: 'email', to, ...mail }));
    }
    if (!('url' in target)) return [];
    const { kind, url } = target;
    const text = [`*${subject}*`, ...lines].join('\n');
    const card = {
      type: 'AdaptiveCard',
      version: '1.4',
      body: [subject, ...lines].map((line) => ({ type: 'TextBlock', text: line, wrap: true })),
    };
    const bodies = {
      slack: { text },
      teams: {
        type: 'message',
        attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
      },
      webhook: { delivery, occurrence, moment, withheld: why },
    };
    return [{ key: keyOfAddress(kind, url), kind, body: JSON.stringify(bodies[kind]) }];
  });
}
