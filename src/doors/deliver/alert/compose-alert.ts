import { createHash } from 'node:crypto';
import type { Value } from '../../../base/database/index.ts';
import { mapInTurns, rowsOf } from '../../../base/index.ts';
import type { Table } from '../../../numbers/report/catalogue/index.ts';
import { partKey } from '../../../numbers/report/source/index.ts';
import type { OpenedReport } from '../content/ask-report.ts';
import type { ContentRow, ReportContent } from '../content/message-content.ts';
import { readOwners, readRecipients } from '../content/own-rows.ts';
import { makePageLinks } from '../content/page-links.ts';
import { spellDays } from '../content/period-name.ts';
import { MAX_NAMED_ROWS } from '../content/row-content.ts';
import { addressMail } from '../message/address-mail.ts';
import type { DeliveryMessage, MessageSubject } from '../message/delivery-message.ts';
import { frameContent, type ToldContent, tellTargets, writeMail } from '../message/tell-content.ts';
import type { AlertStates } from '../occurrence/row-state.ts';
import type { AlertRule, DeliveryPlan, DeliverySetup } from '../setup/delivery-setup.ts';
import { countStates, moveStates, type ToldRowState } from './alert-states.ts';
import { type JudgedReportRow, judgeReport } from './judge-rows.ts';

export interface AlertComposing {
  readonly setup: Pick<DeliverySetup, 'page' | 'domains' | 'maxAttachmentBytes'>;
  readonly plan: DeliveryPlan;
  readonly rule: AlertRule;
  readonly subject: MessageSubject;
  readonly opened: OpenedReport;
  /** The states after the last good answer. */
  readonly before: AlertStates | undefined;
  readonly now: Date;
}

/** Says once that the condition has changed. */
const BEGINS_ANEW = 'The condition of this alert was changed, so it begins anew.';

/** Judges the rows of an alert, and makes a message of those whose state has changed. @throws AppError as the report does. */
export async function composeAlert({ setup, plan, rule, subject, opened, before, now }: AlertComposing) {
  const { query, table, rows, watched, describe } = await judgeReport(opened, plan, rule, setup.page);
  const { dataVersion, name: company } = opened.context.company;
  const period = spellDays(query.selection);
  const condition = digestCondition(plan);
  const isChanged = before !== undefined && before.condition !== condition;
  // The turn of a named period begins anew, in silence.
  const known = isChanged || before?.period !== period ? undefined : before;
  const moved = moveStates(known, rows, rule, dataVersion, now);
  const states: AlertStates = { condition, period, data_version: dataVersion, rows: moved.rows };
  const head: Omit<ReportContent, 'sentences' | 'rows' | 'rowCount'> = {
    label: plan.name,
    company,
    days: query.selection,
    page: makePageLinks(setup.page, query).report(),
    figures: [],
    meta: table.meta,
  };
  const frame = (told: ToldRowStates) => {
    const state = countStates(told) || 'nothing new';
    const text = `${watched.text} ${state}.`.trim();
    const content = {
      ...head,
      sentences: [{ name: watched.name, text, link: undefined }],
      rows: told.slice(0, MAX_NAMED_ROWS).map((each) => contentOf(each, describe(each.row))),
      rowCount: told.length,
    };
    return frameContent(content, { ...subject, state }, isChanged ? [BEGINS_ANEW] : []);
  };
  const wereTold = new Set(isChanged ? before.rows.filter(({ is_on }) => is_on).map(({ key }) => key) : []);
  const forgotten = rows.filter(({ key }) => wereTold.has(key));
  const isTold = isChanged || moved.told.length > 0;
  const messages = isTold ? await tellAll({ setup, plan, opened }, table, moved.told, forgotten, frame) : [];
  return {
    messages,
    dataVersion,
    period,
    rows: rows.filter(({ holds }) => holds).length,
    judged: rows.length,
    states,
  };
}

type ToldRowStates = readonly ToldRowState<JudgedReportRow>[];

/**
 * Tells the common targets all rows, and each recipient the own ones.
 * @param forgotten The rows that were told under an earlier condition: their recipients hear that it begins anew, too.
 */
async function tellAll(
  { setup, plan, opened }: Pick<AlertComposing, 'setup' | 'plan' | 'opened'>,
  table: Table,
  told: ToldRowStates,
  forgotten: readonly JudgedReportRow[],
  frame: (told: ToldRowStates) => ToldContent,
): Promise<DeliveryMessage[]> {
  const { records } = opened;
  const openTable = () => rowsAlone(table, told);
  const messages = await tellTargets(frame(told), plan.targets, [], openTable, setup.maxAttachmentBytes);
  for (const target of plan.targets) {
    if (target.kind !== 'each') continue;
    const ownerOf = await readOwners(table, target.each, records);
    const ownOf = groupByOwner(told, forgotten, ownerOf);
    const recipients = await readRecipients(new Set(ownOf.keys()), target.each, target.addressesOf, records);
    const mails = await mapInTurns(recipients, (recipient) => {
      const own = ownOf.get(recipient.id) ?? [];
      return addressMail(writeMail(frame(own), []), target.each, recipient, setup.domains);
    });
    messages.push(...mails.flat());
  }
  return messages;
}

/** Returns the rows to be told to each owner. @param forgotten Their owners are told, too, and be it of no row. */
function groupByOwner(
  told: ToldRowStates,
  forgotten: readonly JudgedReportRow[],
  ownerOf: (cells: readonly Value[]) => string | undefined,
): ReadonlyMap<string, ToldRowStates> {
  const groups = new Map<string, ToldRowState<JudgedReportRow>[]>();
  const groupOf = ({ cells }: JudgedReportRow) => {
    const owner = ownerOf(cells);
    const group = groups.get(owner ?? '') ?? [];
    if (owner !== undefined) groups.set(owner, group);
    return group;
  };
  for (const each of told) groupOf(each.row).push(each);
  for (const row of forgotten) groupOf(row);
  return groups;
}

/** Returns the digest of what an alert is about: with another one its states mean nothing. */
function digestCondition({ report, parameters, where, alert, seesRates, only }: DeliveryPlan): string {
  const { insight, rows } = alert ?? { insight: undefined, rows: 'any' };
  const part = only ? [partKey(only)] : [];
  const text = JSON.stringify([report, Object.entries(parameters).sort(), where, insight, rows, seesRates, ...part]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function contentOf({ state, before }: ToldRowState<JudgedReportRow>, content: ContentRow): ContentRow {
  const values = content.values.map((value) => {
    const earlier = before[value.label];
    return earlier === undefined || earlier === value.text ? value : { ...value, before: earlier };
  });
  return { ...content, state, values };
}

function rowsAlone({ statements: _, ...table }: Table, told: readonly ToldRowState<JudgedReportRow>[]): Table {
  return { ...table, totals: undefined, rows: rowsOf(told, ({ row }) => row.cells) };
}
