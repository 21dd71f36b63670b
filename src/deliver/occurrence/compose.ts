import type { Table } from '../../report/catalogue/table.ts';
import { type FormatName, writeTable } from '../../write/formats.ts';
import type { OpenedReport } from '../content/ask-report.ts';
import { type AskedRows, askRows } from '../content/ask-rows.ts';
import type { FilteredTable } from '../content/filter-rows.ts';
import { type OwnRows, readOwners, readRecipients } from '../content/own-rows.ts';
import { spellDays } from '../content/period-name.ts';
import { nameRows, type ReportContent, readHead } from '../content/report-content.ts';
import { addressMail } from '../message/address-mail.ts';
import type { DeliveryMessage, MessageFile, MessageSubject } from '../message/delivery-message.ts';
import { frameContent, tellTargets, writeMail } from '../message/tell-content.ts';
import {
  type DeliveryPlan,
  type DeliverySetup,
  type DeliveryTarget,
  type EachRecipient,
  OWN_ROWS,
} from '../setup/delivery-setup.ts';
import type { OutboxWriter } from './outbox.ts';

/** The parts that the messages of an occurrence are made of. */
export interface Composing {
  readonly setup: Pick<DeliverySetup, 'page' | 'domains' | 'maxAttachmentBytes'>;
  readonly plan: DeliveryPlan;
  readonly subject: MessageSubject;
  readonly opened: OpenedReport;
  readonly outbox: OutboxWriter;
}

/** The messages of an occurrence. */
export interface Composed {
  readonly messages: readonly DeliveryMessage[];
  readonly dataVersion: string;
  readonly period: string;
  readonly rows: number | null;
}

/** Files of a message, with their sizes. */
interface WrittenFile extends MessageFile {
  readonly bytes: number;
}

/** The targets that get words, not only files. */
const TOLD: readonly DeliveryTarget['kind'][] = ['email', 'webhook', 'slack', 'teams'];

/** Makes the messages of a delivery. @throws AppError as the report does. */
export async function composeDelivery(composing: Composing): Promise<Composed> {
  const { plan, opened } = composing;
  const { selection } = opened.parse({});
  const period = spellDays(selection);
  const facts = { dataVersion: opened.context.company.dataVersion, period };
  const needsRows = plan.where !== undefined || plan.targets.some(({ kind }) => kind === 'each' || kind === 'webhook');
  const whole = needsRows ? await askRows(opened, plan, {}) : undefined;
  try {
    // Without a row that the condition holds of, there is nothing to say.
    if (whole && plan.where !== undefined && whole.rows.rowCount === 0) return { ...facts, messages: [], rows: 0 };
    const messages: DeliveryMessage[] = [];
    const common = plan.targets.filter(({ kind }) => kind !== 'each');
    if (common.length > 0) {
      const files = await writeFiles(composing, {}, `${plan.name}-${period}`, whole?.rows);
      messages.push(...(await composeFor(composing, common, files, whole)));
    }
    for (const target of plan.targets) {
      if (target.kind === 'each' && whole) messages.push(...(await composeEach(composing, target, whole.rows, period)));
    }
    return { ...facts, messages, rows: plan.where === undefined ? null : (whole?.rows.rowCount ?? null) };
  } finally {
    await whole?.rows.close();
  }
}

async function composeFor(
  composing: Composing,
  targets: readonly DeliveryTarget[],
  files: readonly WrittenFile[],
  asked: AskedRows | undefined,
): Promise<DeliveryMessage[]> {
  const { plan, setup, subject } = composing;
  const { page } = setup;
  const places = targets.flatMap((target) => ('place' in target ? [placeMessage(target, files, composing)] : []));
  if (!targets.some(({ kind }) => TOLD.includes(kind))) return places;
  const own = asked ?? (await askRows(composing.opened, plan, {}));
  try {
    const head = await readHead(composing.opened, own.query, own.table, page, plan.where);
    const isListed = plan.where !== undefined;
    const content: ReportContent = {
      ...head,
      rows: isListed ? await nameRows(own.query, own.rows.read(), page, plan.where) : [],
      rowCount: isListed ? own.rows.rowCount : undefined,
    };
    const { attached, remarks } = attach(files, setup.maxAttachmentBytes);
    const told = frameContent(content, subject, remarks);
    const openTable = () => own.rows.read();
    const messages = await tellTargets(told, targets, attached, openTable, setup.maxAttachmentBytes);
    return [...places, ...messages];
  } finally {
    if (!asked) await own.rows.close();
  }
}

function placeMessage(
  { kind, place }: Extract<DeliveryTarget, { place: string }>,
  files: readonly WrittenFile[],
  { plan, opened }: Composing,
): DeliveryMessage {
  const filled = place.replaceAll('{name}', plan.name).replaceAll('{period}', spellDays(opened.parse({}).selection));
  return { key: `${kind}:${filled}`, kind, place: filled, files };
}

/** Returns the files that a mail holds, and what is said of the others. */
function attach(files: readonly WrittenFile[], maxBytes: number) {
  const isLarge = ({ bytes }: WrittenFile) => bytes > maxBytes;
  const size = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
  return {
    attached: files.filter((file) => !isLarge(file)),
    remarks: files
      .filter(isLarge)
      .map(({ name, bytes }) => `${name} has ${size(bytes)}, more than a mail may hold: open it from the page.`),
  };
}

/** Writes the files of a report. @param rows Those that a condition leaves; the workbook has no condition. */
async function writeFiles(
  { plan, opened, outbox }: Composing,
  more: Readonly<Record<string, string>>,
  name: string,
  rows: FilteredTable | undefined,
): Promise<WrittenFile[]> {
  const files: WrittenFile[] = [];
  for (const format of plan.formats) {
    const file = `${name}.${format}`;
    const bytes = await bytesOf(opened, format, more, plan.where === undefined ? undefined : rows);
    files.push({ name: file, stored: file, bytes: await outbox.file(file, bytes) });
  }
  return files;
}

async function bytesOf(
  opened: OpenedReport,
  format: FormatName,
  more: Readonly<Record<string, string>>,
  rows: FilteredTable | undefined,
): Promise<AsyncIterable<string | Uint8Array>> {
  return rows && format !== 'xlsx' ? writeTable(format, withoutLinks(rows.read())) : opened.write(format, more);
}

/** Leaves out the column that only messages need. */
function withoutLinks(table: Table): Table {
  const isShown = table.columns.map(({ name }) => !name.startsWith('_'));
  const pick = <Item>(items: readonly Item[]) => items.filter((_, index) => isShown[index]);
  const { statements, rows, columns, ...rest } = table;
  return { ...rest, columns: pick(columns), rows: mapRows(rows, pick) };
}

async function* mapRows<Row>(rows: AsyncIterable<readonly Row[]>, map: (row: Row) => Row): AsyncGenerator<Row[]> {
  for await (const chunk of rows) yield chunk.map(map);
}

/** Makes a message for each recipient, of a report that is limited to the own rows: totals and files are of these alone. */
async function composeEach(
  composing: Composing,
  { each, addressesOf }: Extract<DeliveryTarget, { kind: 'each' }>,
  whole: FilteredTable,
  period: string,
): Promise<DeliveryMessage[]> {
  const { plan, opened } = composing;
  const table = whole.read();
  const ownerOf = await readOwners(table, each, opened.context.whole);
  const ids = new Set<string>();
  for await (const chunk of table.rows) for (const row of chunk) ids.add(ownerOf(row) ?? '');
  ids.delete('');
  const messages: DeliveryMessage[] = [];
  for (const recipient of await readRecipients(ids, each, addressesOf, opened.context.whole)) {
    const more = { [OWN_ROWS[each]]: recipient.id };
    const own = await askRows(opened, plan, more);
    try {
      if (own.rows.rowCount === 0) continue;
      messages.push(...(await composeOwn(composing, { each, recipient, own, more, period })));
    } finally {
      await own.rows.close();
    }
  }
  return messages;
}

interface OwnMessage {
  readonly each: EachRecipient;
  readonly recipient: OwnRows;
  readonly own: AskedRows;
  readonly more: Readonly<Record<string, string>>;
  readonly period: string;
}

async function composeOwn(
  composing: Composing,
  { each, recipient, own, more, period }: OwnMessage,
): Promise<DeliveryMessage[]> {
  const { plan, opened, setup, subject } = composing;
  const { page } = setup;
  const head = await readHead(opened, own.query, own.table, page, plan.where);
  const rows = await nameRows(own.query, own.rows.read(), page, plan.where);
  const content = { ...head, rows, rowCount: own.rows.rowCount };
  const prefix = `${each}-${recipient.id}`;
  const files = await writeFiles(composing, more, `${plan.name}-${period}-${prefix}`, own.rows);
  const { attached, remarks } = attach(files, setup.maxAttachmentBytes);
  const mail = writeMail(frameContent(content, subject, remarks), attached);
  return addressMail(mail, each, recipient, setup.domains);
}
