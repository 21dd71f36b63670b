import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError, formatForeign, messageOf } from '../../../base/index.ts';
import { converse } from '../../counterpart/converse.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import type { MailServer } from '../setup/delivery-setup.ts';
import { findAddressFault } from '../setup/read-targets.ts';
import { idOfSending, type SendingContext } from './sending-context.ts';
import { sendOverSmtp } from './smtp-session.ts';
import { UnsureError, unsureOf } from './unsure-error.ts';

/** The first words of a repeat whose earlier try may have arrived. */
export const REPEAT_WORDS = 'This may have reached you before.';

type Mail = Extract<DeliveryMessage, { kind: 'email' }>;

/** The facts of an occurrence that its mails depend on. */
export type MailContext = Pick<SendingContext, 'occurrence' | 'madeAt' | 'folder' | 'isUnsure'>;

/** Sends a mail to one recipient. @throws AppError source; UnsureError if the answer to its text never came. */
export async function sendMail(message: Mail, context: SendingContext): Promise<'sent'> {
  const { mail: server, domains } = context.setup;
  if (!server) throw new AppError('source', 'deliveries.yaml names no mail server any more', { hint: 'Write smtp.' });
  const fault = findAddressFault(message.to, domains);
  if (fault !== undefined) throw new AppError('source', fault, { hint: 'Add its domain to domains, or leave it out.' });
  const { createTransport } = await import('nodemailer');
  const { envelope, ...composed } = await createTransport({ streamTransport: true }).sendMail(
    mailOf(message, server, context),
  );
  const text = composed.message as Readable;
  let isWritten = false;
  try {
    await converse(`${server.host}:${server.port}`, context, context.limits.messageMs, (conversation) =>
      sendOverSmtp(server, { envelope, message: text }, conversation, () => {
        isWritten = true;
      }),
    );
    return 'sent';
  } catch (error) {
    throw mailError(server, message.to, error, isWritten);
  } finally {
    text.destroy();
  }
}

/** Returns a mail, whose bytes are the same at each try but for the words of a repeat. */
export function mailOf(message: Mail, { from }: Pick<MailServer, 'from'>, context: MailContext) {
  const { madeAt, folder, isUnsure } = context;
  const id = idOfSending(message, context);
  const [, domain = 'plumbline.invalid'] = /@([\w.-]+)/.exec(from) ?? [];
  const { subject, text, html } = message;
  return {
    from,
    to: message.to,
    subject,
    text: isUnsure ? `${REPEAT_WORDS}\n\n${text}` : text,
    html: isUnsure ? html.replace(/<h1/, `<p class="text"><i>${REPEAT_WORDS}</i></p><h1`) : html,
    messageId: `<${id}@${domain}>`,
    date: madeAt,
    baseBoundary: id,
    // Programs that answer mails by themselves leave these alone.
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: message.attachments.map(({ name, stored }) => ({ filename: name, path: join(folder, stored) })),
  };
}

interface SmtpError extends Error {
  readonly code?: string;
  /** The command that the server refused. */
  readonly command?: string;
  /** The answer of the server, and its number. */
  readonly response?: string;
  readonly responseCode?: number;
}

/** @param isWritten True if the server got the whole mail: without its answer, nobody knows whether it arrived. */
function mailError({ host, port, from }: MailServer, to: string, error: unknown, isWritten: boolean): AppError {
  if (error instanceof AppError) return isWritten ? unsureOf(error) : error;
  const { code = '', responseCode, response, command } = error as SmtpError;
  const place = `${host}:${port}`;
  const said = formatForeign(messageOf(error));
  const fail = (message: string, hint?: string) =>
    new AppError('source', message, { ...(hint && { hint }), cause: error });
  if (code === 'EAUTH')
    return fail(`${place} refused the user and password: ${said}`, 'Check user and password of smtp.');
  if (code === 'EENVELOPE') {
    const answer = response === undefined ? said : formatForeign(response);
    if (command === 'MAIL FROM') return fail(`${place} refused the sender ${from}: ${answer}`, 'Check from of smtp.');
    return fail(`${place} refused ${to}: ${answer}`);
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code) || /certificate|altnames/i.test(said))
    return fail(
      `The certificate of ${place} can't be trusted: ${said}`,
      'Use the name that it has. If your own authority issued it, name its file in NODE_EXTRA_CA_CERTS.',
    );
  if (said.includes('SSL routines'))
    return fail(
      `${place} doesn't speak TLS from the first byte, or no version of it that is in use`,
      'Write tls: true for a port such as 465 alone; without it, the connection begins in plain and goes on by STARTTLS.',
    );
  if (code === 'ETLS')
    return fail(
      `${place} offers no TLS: ${said}`,
      'Use a server with STARTTLS, or tls: true; a relay on this machine or in a private network may have tls: none.',
    );
  if (responseCode !== undefined) return fail(`${place} refused the mail: ${said}`);
  if (isWritten) return new UnsureError('source', `${place} didn't answer after the mail: ${said}`, { cause: error });
  return fail(`${place} can't be reached: ${said}`, 'Check host and port of smtp, and that the server is running.');
}
