import type { DeliveryPlan, DeliverySetup, DeliveryTarget } from '../setup/delivery-setup.ts';
import { escapeSlack, escapeTeams } from './cards.ts';
import type { DeliveryMessage, MessageSubject } from './delivery-message.ts';
import { plainHtml } from './mail-html.ts';
import { cutText } from './mail-text.ts';
import { keyOfAddress } from './target-key.ts';

/** The longest text of a card of sentences. Unit: characters. */
const LINE_CHARACTERS = 3_000;

/** Makes the messages that a report isn't sent, and why. Places of files get nothing, and recipients of own rows are unknown. */
export function refuseDelivery(
  { name, targets }: DeliveryPlan,
  setup: Pick<DeliverySetup, 'page'>,
  subject: MessageSubject,
  { company, why }: { readonly company: string | null; readonly why: string },
): DeliveryMessage[] {
  const lines = [`${name} is not sent: ${why}`, 'It comes again at its next moment.'];
  return tellLines(targets, setup, subject, { company, lines });
}

export function tellLines(
  targets: readonly DeliveryTarget[],
  { page }: Pick<DeliverySetup, 'page'>,
  { delivery, occurrence, moment, state = '' }: MessageSubject,
  { company, lines }: { readonly company: string | null; readonly lines: readonly string[] },
): DeliveryMessage[] {
  const subject = cutText([state, delivery, company].filter((part) => part).join(' · '), 150);
  const text = `${[...lines, ...(page ? [`Open the page: ${page}`] : [])].join('\n\n')}\n`;
  const mail = { subject, text, html: plainHtml(subject, lines, page), attachments: [] };
  const blocks = [subject, ...lines].map((line) => ({
    type: 'TextBlock',
    text: escapeTeams(cutText(line, LINE_CHARACTERS)),
    wrap: true,
  }));
  const content = { type: 'AdaptiveCard', version: '1.4', body: blocks };
  const bodies = {
    // Names may have the marks of Slack for bold or struck text, which nothing escapes.
    slack: { text: escapeSlack(cutText([subject, ...lines].join('\n'), LINE_CHARACTERS)), mrkdwn: false },
    teams: { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] },
    webhook: { delivery, occurrence, moment, state, remarks: lines },
  };
  return targets.flatMap((target): DeliveryMessage[] => {
    if (target.kind === 'email')
      return target.addresses.map((to) => ({ key: `email:${to}`, kind: 'email', to, ...mail }));
    if (!('url' in target)) return [];
    const { kind, url } = target;
    return [{ key: keyOfAddress(kind, url), kind, body: JSON.stringify(bodies[kind]) }];
  });
}
