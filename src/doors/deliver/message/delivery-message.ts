/*
 * The door of this room: what is sent, as it is kept until it has arrived. `mail-text`, `mail-html`, `cards` and `webhook-body`
 * make the words of each kind of target from the content of a report.
 */

export interface MessageFile {
  /** Its name for whoever gets it. */
  readonly name: string;
  /** Its name in the folder of the occurrence. */
  readonly stored: string;
}

export interface MailWords {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A message to one recipient or place, with all that sending it needs but secrets. */
export type DeliveryMessage = {
  /** Names the sending within its occurrence, and in the log. */
  readonly key: string;
  /** Why it can't be sent at all. */
  readonly fault?: string;
} & (
  | ({ readonly kind: 'email'; readonly to: string; readonly attachments: readonly MessageFile[] } & MailWords)
  | { readonly kind: 'folder' | 's3'; readonly place: string; readonly files: readonly MessageFile[] }
  | { readonly kind: 'webhook' | 'slack' | 'teams'; readonly body: string }
  // The tables themselves stay in the database: PostgreSQL gets those of one data version, whole.
  | { readonly kind: 'postgres'; readonly marts: readonly string[] | 'all'; readonly hasRates: boolean }
);

export interface MessageSubject {
  readonly delivery: string;
  readonly occurrence: string;
  readonly moment: string;
  readonly isLate: boolean;
  /** The word that leads the subject, such as New; undefined for deliveries. */
  readonly state: string | undefined;
}
