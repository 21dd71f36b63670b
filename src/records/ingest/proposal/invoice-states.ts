import { foldWord } from '../mapping/notation.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { quote } from './mapping-entry.ts';
import { wordSource } from './words.ts';

/** Words for invoices that are paid, whole. */
const PAID =
  'paid|closed|auto-paid|autopaid|paid in full|fully paid|settled|in payment|bezahlt|ausgeglichen|payé|payée|pagada|pagado|pagato|pagata|paga|betaald|betald';

/** The words of programs by the status that they stand for. */
const STATES: Readonly<Record<string, string>> = {
  issued: `${PAID}|issued|sent|viewed|open|approved|authorised|authorized|awaiting payment|overdue|late|unpaid|not paid|due|outstanding|posted|partial|partially paid|partial payment|partially_paid|partiallypaid|in_payment|not_paid|written off|written-off|retry|failed|declined|disputed|versendet|gesendet|gestellt|offen|fällig|überfällig|teilbezahlt|teilweise bezahlt|gebucht|envoyée|envoyé|validée|en retard|impayée|enviada|emitida|vencida|inviata|emessa|scaduta|verzonden|verlopen|skickad|förfallen`,
  draft:
    'draft|submitted|awaiting approval|pending approval|pending|saved|created|entwurf|brouillon|borrador|bozza|rascunho|concept|utkast',
  void: 'void|voided|deleted|cancelled|canceled|cancel|storniert|storno|annulliert|gelöscht|annulée|annulé|anulada|annullata|cancelada|geannuleerd|makulerad',
};

const STATE_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(STATES).flatMap(([state, words]) => words.split('|').map((word) => [word, state] as const)),
);

const PAID_WORDS: ReadonlySet<string> = new Set(PAID.split('|'));

/** Matches the kinds of documents that clients get, those that give money back, and those of suppliers. */
const [DOCUMENT, CREDIT, PURCHASE] = [
  /invoice|sales|receipt|credit|refund|rechnung|gutschrift|storno|facture|avoir|factura|abono|fattura|fatura|nota|factuur|faktura/i,
  /credit|refund|gutschrift|storno|avoir|abono|nota de crédito|nota di credito|creditnota|kreditfaktura|out_refund/i,
  /^(?:bill|bills|vendor bill|vendor credit note|vendor credit|purchase invoice|supplier invoice|eingangsrechnung|accpay|in_invoice|in_refund)$/i,
];

/** Tells whether a text is a word for an invoice that is paid. */
export function isPaidWord(text: string): boolean {
  return PAID_WORDS.has(foldWord(text));
}

/** Tells whether a text is a kind of documents that clients get. */
export function isDocumentWord(text: string): boolean {
  return DOCUMENT.test(text) && !isPurchaseWord(text);
}

/** Tells whether a text is the kind of documents that give money back. */
export function isCreditWord(text: string): boolean {
  return CREDIT.test(text);
}

/** Tells whether a text is the kind of documents that suppliers write. */
export function isPurchaseWord(text: string): boolean {
  return PURCHASE.test(text.trim());
}

/** Returns the source of the status of invoices, with the words that its column has. */
export function invoiceStatus(table: SampleTable, header: string | undefined): string | undefined {
  return wordSource(table, header, (word) => STATE_OF.get(word));
}

/** Returns the question about words that aren't known; undefined if there is none. */
export function askStates(table: SampleTable, header: string | undefined): string | undefined {
  const unknown = [...new Set(table.cells(header).map(({ text }) => text.trim()))].filter(
    (text) => !STATE_OF.has(foldWord(text)),
  );
  if (header === undefined || unknown.length === 0) return undefined;
  const words = unknown.map((text) => `${quote(text)}: issued`).join(', ');
  return `${header} has ${unknown.join(', ')}: add words: {${words}} to those of status, with issued, draft or void for each`;
}
