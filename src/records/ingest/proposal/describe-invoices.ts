import type { RowFilter } from '../mapping/mapping.ts';
import { foldWord } from '../mapping/notation.ts';
import { areDays } from '../sample/day-forms.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import type { Description } from './describe-records.ts';
import { findHours } from './hours-columns.ts';
import { findNet } from './invoice-amounts.ts';
import { AMOUNT_MEANINGS, type InvoiceTable, openInvoices } from './invoice-columns.ts';
import {
  askStates,
  invoiceStatus,
  isCreditWord,
  isDocumentWord,
  isPaidWord,
  isPurchaseWord,
} from './invoice-states.ts';
import { type Columns, type FieldTexts, formatColumns, type MappingEntry, quote } from './mapping-entry.ts';
import { filled, type Naming, namedId, projectColumns } from './naming.ts';

/** Matches the name of a currency with its code behind it. */
const NAMED_CURRENCY = /^.*\S - (?<code>[A-Z]{3})$/;

/** Tells whether the rows of a table are lines of invoices to clients: they have a number, a day and an amount, and are no work. */
export function isInvoices(table: SampleTable): boolean {
  const { find } = openInvoices(table);
  const isMoney = AMOUNT_MEANINGS.some((meaning) => find(meaning) !== undefined);
  if (find('number') === undefined || !isMoney || !areDays(table.cells(find('issued')))) return false;
  if (find('supplier') !== undefined || table.find('category', 'leave_type') !== undefined) return false;
  const hasWorker = table.find('person', 'first_name') !== undefined;
  const isBill = find('tax') !== undefined || find('due') !== undefined || find('client') !== undefined;
  return findHours(table) === undefined ? isBill : !hasWorker && (find('tax') ?? find('due')) !== undefined;
}

/** Returns the cells of invoices that have days and amounts, which tell how these are written. */
export function invoiceCells(table: SampleTable) {
  const { find, findAll } = openInvoices(table);
  return {
    days: (['issued', 'due', 'paid'] as const).flatMap((meaning) => find(meaning) ?? []),
    amounts: table.cells(...AMOUNT_MEANINGS.flatMap(findAll)),
    currencies: table.cells(find('currency')),
  };
}

/** Describes invoices and their lines, with the clients and projects that they name. A file may have a row for each invoice, or for each line. */
export function describeInvoices(table: SampleTable, naming: Naming): Description {
  const invoices = openInvoices(table);
  const { find, id } = invoices;
  const number = find('number') ?? '';
  const net = findNet(invoices);
  const project = table.find('project') === undefined ? undefined : projectColumns(table, naming);
  const lines: MappingEntry = {
    resource: 'invoice_lines',
    fields: {
      invoice_line_id: '{row: true}',
      invoice_id: namedId(table, id),
      project_id: namedId(table, project),
      amount: net.source,
      name: quote(find('label')),
    },
  };
  const credits = describeCredits(invoices, lines);
  return {
    entries: [...describeClients(invoices, project), ...describeHeads(invoices), ...credits.entries],
    open: [net.open, credits.open, askStates(table, find('state')), askBlank(invoices, number), askPurchases(invoices)],
    comments: [
      ...(net.comment === undefined ? [] : [net.comment]),
      ...(credits.comment === undefined ? [] : [credits.comment]),
      ...(project === undefined
        ? [
            'No column that is understood names projects: the lines stand beside those of their client. Write project_id if one does.',
          ]
        : []),
    ],
  };
}

function describeClients({ table, find }: InvoiceTable, project: Columns | undefined): MappingEntry[] {
  const client = find('client');
  const clientId = namedId(table, client);
  const text = (column: string | undefined) =>
    column === undefined || filled(table, column) === ''
      ? quote(column)
      : `{column: ${quote(column)}${filled(table, column)}}`;
  return [
    ...(client === undefined ? [] : [{ resource: 'clients', fields: { client_id: clientId, name: text(client) } }]),
    ...(project === undefined
      ? []
      : [
          {
            resource: 'projects',
            fields: { project_id: namedId(table, project), name: text(table.find('project')), client_id: clientId },
          },
        ]),
  ];
}

/** Describes the invoices themselves: those that are paid apart, because only they have the day of payment, and are never overdue. */
function describeHeads({ table, find, id }: InvoiceTable): MappingEntry[] {
  const [client, due, paid] = [find('client'), quote(find('due')), quote(find('paid'))];
  const entry = (fields: FieldTexts, rows: Pick<MappingEntry, 'where' | 'skip'>): MappingEntry => ({
    resource: 'invoices',
    fields: {
      // Without the fill of its lines: an invoice is in its first row.
      invoice_id: `{name: ${formatColumns(id)}}`,
      number: quote(find('number')),
      client_id: namedId(table, client),
      issue_date: quote(find('issued')),
      ...fields,
      status: invoiceStatus(table, find('state')),
    },
    ...rows,
  });
  const settled = paidRows(table, find('payment') ?? find('state'), find('balance'));
  const entries =
    settled === undefined
      ? [entry({ due_date: due, paid_date: paid }, {})]
      : [
          entry(paid === undefined ? {} : { due_date: due, paid_date: paid }, { where: [settled] }),
          entry({ due_date: due }, { skip: [settled] }),
        ];
  return entries.flatMap((each) => withCurrency(table, find('currency'), each));
}

/** Returns the condition that paid invoices meet, by their status or by a balance of 0; undefined if the file doesn't tell. */
function paidRows(table: SampleTable, state: string | undefined, balance: string | undefined): RowFilter | undefined {
  const textsOf = (column: string | undefined) => [...new Set(table.cells(column).map(({ text }) => text.trim()))];
  const words = textsOf(state).filter(isPaidWord);
  if (state !== undefined && words.length > 0) return { column: state, texts: words };
  const zeros = textsOf(balance).filter((text) => /^[^1-9]*$/.test(text) && text.includes('0'));
  return balance !== undefined && zeros.length > 0 ? { column: balance, texts: zeros } : undefined;
}

/** Returns an entry with its currency, one for each of those that are called by a name with the code behind it. */
function withCurrency(table: SampleTable, column: string | undefined, entry: MappingEntry): MappingEntry[] {
  const texts = [...new Set(table.cells(column).map(({ text }) => text.trim()))];
  const codes = texts.map((text) => NAMED_CURRENCY.exec(text)?.groups?.['code']);
  if (column === undefined || texts.length === 0 || codes.includes(undefined))
    return [{ ...entry, fields: { ...entry.fields, currency: quote(column) } }];
  return texts.map((text, at) => ({
    ...entry,
    fields: { ...entry.fields, currency: `{value: ${codes[at]}}` },
    where: [...(entry.where ?? []), { column, texts: [text] }],
  }));
}

/** The entries of the lines of a file, and what is asked or told about its credit notes. */
interface CreditLines {
  readonly entries: readonly MappingEntry[];
  readonly open?: string;
  readonly comment?: string;
}

/**
 * Describes lines, those of credit notes with the other sign if the file writes them above 0. A kind of document that is new in a later
 * file is left out, because nobody has looked at the signs of its amounts.
 */
function describeCredits({ table, rows, find, amountOf }: InvoiceTable, lines: MappingEntry): CreditLines {
  const document = find('document');
  const [column] = AMOUNT_MEANINGS.flatMap((meaning) => find(meaning) ?? []);
  const kinds = [...new Set(rows.map((row) => row(document)))];
  if (document === undefined || !kinds.every(isDocumentWord)) return { entries: [lines] };
  const credits = kinds.filter(isCreditWord);
  const amounts = rows.filter((row) => credits.includes(row(document))).map((row) => amountOf(row(column)) ?? 0n);
  const isFilled = (table.layout?.fill ?? []).length > 0;
  const of = (texts: readonly string[]) => ({ where: [{ column: document, texts }] });
  if (!amounts.some((amount) => amount > 0n)) return { entries: [isFilled ? lines : { ...lines, ...of(kinds) }] };
  const what = `${document} has ${credits.join(', ')} with amounts above 0`;
  if (isFilled || amounts.some((amount) => amount < 0n))
    return {
      entries: [lines],
      open: `${what}: export credit notes in a file of their own, and write sign: minus at its amount, or remove this line if they are no credits`,
    };
  const { amount } = lines.fields ?? {};
  const source = amount?.startsWith('{') ? amount.slice(1, -1) : `column: ${amount}`;
  const others = kinds.filter((kind) => !credits.includes(kind));
  const negative = { ...lines, fields: { ...lines.fields, amount: `{${source}, sign: minus}` }, ...of(credits) };
  return {
    entries: others.length === 0 ? [negative] : [{ ...lines, ...of(others) }, negative],
    comment: `${what}: they are read as credits.`,
  };
}

/** Asks about lines without the number of their invoice. */
function askBlank({ rows, find, amountOf }: InvoiceTable, number: string): string | undefined {
  const [column] = AMOUNT_MEANINGS.flatMap((meaning) => find(meaning) ?? []);
  const count = rows.filter((row) => row(number) === '' && (amountOf(row(column)) ?? 0n) !== 0n).length;
  return count === 0
    ? undefined
    : `${number} is blank in ${count} ${count === 1 ? 'row' : 'rows'} with amounts: write fill: down at it if they are lines of the invoice above, or remove this line to set them aside`;
}

/** Asks about bills of suppliers, which are no invoices to clients. */
function askPurchases({ table, find }: InvoiceTable): string | undefined {
  const document = find('document');
  const text = table.cells(document).find((cell) => isPurchaseWord(foldWord(cell.text)))?.text;
  return text === undefined
    ? undefined
    : `${document} has ${text}: export invoices to clients alone, or leave these rows out with skip: {${quote(document)}: ${quote(text)}}`;
}
