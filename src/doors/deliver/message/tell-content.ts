import type { Table } from '../../../numbers/report/catalogue/index.ts';
import type { ReportContent } from '../content/message-content.ts';
import type { DeliveryTarget } from '../setup/delivery-setup.ts';
import { writeSlack, writeTeams } from './cards.ts';
import type { DeliveryMessage, MessageFile, MessageSubject } from './delivery-message.ts';
import { writeMailHtml } from './mail-html.ts';
import { frameMessage, type MessageWords, writeMailText } from './mail-text.ts';
import { keyOfAddress } from './target-key.ts';
import { writeWebhook } from './webhook-body.ts';

export interface ToldContent {
  readonly content: ReportContent;
  readonly subject: MessageSubject;
  readonly words: MessageWords;
}

/** Puts words around the content of a report. @param remarks What is to be said first. */
export function frameContent(content: ReportContent, subject: MessageSubject, remarks: readonly string[]): ToldContent {
  return { content, subject, words: frameMessage(content, subject, remarks) };
}

/** Writes a mail, which has no recipient yet. */
export function writeMail({ content, words }: ToldContent, attachments: readonly MessageFile[]) {
  const { subject } = words;
  const [text, html] = [writeMailText(content, words), writeMailHtml(content, words)];
  return { kind: 'email', subject, text, html, attachments } as const;
}

/** Tells targets the content of a report in the form of each: addresses and receivers of JSON; other targets get nothing. */
export async function tellTargets(
  told: ToldContent,
  targets: readonly DeliveryTarget[],
  attachments: readonly MessageFile[],
  openTable: () => Table,
  maxBytes: number,
): Promise<DeliveryMessage[]> {
  const { content, subject, words } = told;
  const mail = writeMail(told, attachments);
  const messages = targets.map(async (target): Promise<DeliveryMessage[]> => {
    if (target.kind === 'email') return target.addresses.map((to) => ({ key: `email:${to}`, to, ...mail }));
    if (!('url' in target)) return [];
    const { kind, url } = target;
    const bodies = {
      slack: () => writeSlack(content, words),
      teams: () => writeTeams(content, words),
      webhook: () => writeWebhook(content, subject, words, openTable(), maxBytes),
    };
    return [{ key: keyOfAddress(kind, url), kind, body: await bodies[kind]() }];
  });
  return (await Promise.all(messages)).flat();
}
