import { groupThousands } from '../../../base/index.ts';
import type { OpenedReport } from '../content/ask-report.ts';
import { type AskedRows, askRows } from '../content/ask-rows.ts';
import { sayCondition } from '../content/condition-words.ts';
import { countRows } from '../content/kept-table.ts';
import type { ReportContent } from '../content/message-content.ts';
import { readRights } from '../content/own-rights.ts';
import { type OwnRows, readOwners, readRecipients } from '../content/own-rows.ts';
import { spellDays } from '../content/period-name.ts';
import { readHead } from '../content/report-content.ts';
import { nameRows } from '../content/row-content.ts';
import { addressMail } from '../message/address-mail.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import { frameContent, tellTargets, writeMail } from '../message/tell-content.ts';
import { type DeliveryTarget, type EachRecipient, OWN_ROWS } from '../setup/delivery-setup.ts';
import type { Composed, Composing } from './composing.ts';
import { attach, isOfTable, placeMessage, type WrittenFile, writeFiles } from './delivery-files.ts';

/** The targets that get words, not only files. */
const TOLD: readonly DeliveryTarget['kind'][] = ['email', 'webhook', 'slack', 'teams'];

/** Makes the messages of a delivery. @throws AppError as the report does. */
export async function composeDelivery(composing: Composing): Promise<Composed> {
  const { plan, opened } = composing;
  const { selection } = opened.parse({});
  const period = spellDays(selection);
  const facts = { dataVersion: opened.context.company.dataVersion, period };
  const whole = await askOnce(composing);
  try {
    // Without a row that the condition holds of, there is nothing to say.
    const tried = whole && plan.where !== undefined ? { judged: await countRows(whole.table) } : {};
    if (whole && plan.where !== undefined && whole.rows.rowCount === 0)
      return { ...facts, ...tried, messages: [], rows: 0 };
    const messages: DeliveryMessage[] = [];
    const common = plan.targets.filter(({ kind }) => kind !== 'each');
    if (common.length > 0) {
      const files = await writeFiles(composing, `${plan.name}-${period}`, whole);
      messages.push(...(await composeFor(composing, common, files, whole)));
    }
    for (const target of plan.targets) {
      if (target.kind === 'each' && whole) messages.push(...(await composeEach(composing, target, whole, period)));
    }
    return { ...facts, ...tried, messages, rows: plan.where === undefined ? null : (whole?.rows.rowCount ?? null) };
  } finally {
    await whole?.rows.close();
  }
}

/** Asks for the report once, for all targets and files; undefined for workbooks alone, which ask by themselves. */
async function askOnce({ plan, opened }: Composing): Promise<AskedRows | undefined> {
  const { targets, formats, where } = plan;
  const isTold = targets.some(({ kind }) => TOLD.includes(kind));
  const isListed = where !== undefined || targets.some(({ kind }) => kind === 'each');
  if (!isTold && !isListed && !formats.some(isOfTable)) return undefined;
  return askRows(opened, plan, isTold ? 'sentences' : 'none');
}

async function composeFor(
  composing: Composing,
  targets: readonly DeliveryTarget[],
  files: readonly WrittenFile[],
  asked: AskedRows | undefined,
): Promise<DeliveryMessage[]> {
  const { plan, setup, subject } = composing;
  const places = targets.flatMap((target) => ('place' in target ? [placeMessage(target, files, composing)] : []));
  if (!asked || !targets.some(({ kind }) => TOLD.includes(kind))) return places;
  const content = await readContent(composing, asked, plan.where !== undefined);
  const { attached, remarks } = attach(files, setup.maxAttachmentBytes);
  const told = frameContent(content, subject, remarks);
  const messages = await tellTargets(told, targets, attached, asked.rows.read, setup.maxAttachmentBytes);
  return [...places, ...messages];
}

/** Reads the content of messages. @param isListed True to name the rows. */
async function readContent(
  { plan: { where }, setup: { page }, opened }: Composing,
  { query, table, rows: { read, rowCount } }: AskedRows,
  isListed: boolean,
): Promise<ReportContent> {
  const head = await readHead(opened, query, table, page, where);
  if (!isListed) return { ...head, rows: [], rowCount: undefined };
  const text = `${groupThousands(String(rowCount))} ${rowCount === 1 ? 'row' : 'rows'}.`;
  const watched =
    where === undefined ? [] : [{ name: sayCondition(where, table.columns, table.meta), text, link: undefined }];
  const rows = await nameRows(query, read(), page, where);
  return { ...head, sentences: [...watched, ...head.sentences], rows, rowCount };
}

/** Makes a message for each recipient, of a report that is limited to the own rows: totals and files are of these alone. */
async function composeEach(
  composing: Composing,
  { each, addressesOf }: Extract<DeliveryTarget, { kind: 'each' }>,
  whole: AskedRows,
  period: string,
): Promise<DeliveryMessage[]> {
  const { plan, setup, opened } = composing;
  const { records } = opened;
  const table = whole.rows.read();
  const ownerOf = await readOwners(table, each, records);
  const ids = new Set<string>();
  for await (const chunk of table.rows) for (const row of chunk) ids.add(ownerOf(row) ?? '');
  ids.delete('');
  const rightsOf = plan.hasOwnRights ? await readRights(setup.accessFile, records, plan.only) : undefined;
  const messages: DeliveryMessage[] = [];
  for (const recipient of await readRecipients(ids, each, addressesOf, records)) {
    const compose = (seen: OpenedReport) => {
      const own = seen.limitTo({ [OWN_ROWS[each]]: recipient.id });
      return composeOwn({ ...composing, opened: own }, { each, recipient, period });
    };
    const rights = await rightsOf?.(recipient.addresses[0]);
    messages.push(...(rights ? await opened.openFor(rights, compose) : await compose(opened)));
  }
  return messages;
}

interface OwnMessage {
  readonly each: EachRecipient;
  readonly recipient: OwnRows;
  readonly period: string;
}

async function composeOwn(composing: Composing, { each, recipient, period }: OwnMessage): Promise<DeliveryMessage[]> {
  const { plan, opened, setup, subject } = composing;
  const own = await askRows(opened, plan, 'sentences');
  try {
    if (own.rows.rowCount === 0) return [];
    const content = await readContent(composing, own, true);
    const prefix = `${each}-${recipient.id}`;
    const files = await writeFiles(composing, `${plan.name}-${period}-${prefix}`, own);
    const { attached, remarks } = attach(files, setup.maxAttachmentBytes);
    const mail = writeMail(frameContent(content, subject, remarks), attached);
    return addressMail(mail, each, recipient, setup.domains);
  } finally {
    await own.rows.close();
  }
}
