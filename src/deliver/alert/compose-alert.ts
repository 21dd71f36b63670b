import { createHash } from 'node:crypto';
import type { Value } from '../../database/database.ts';
import type { Table } from '../../report/catalogue/table.ts';
import { partKey } from '../../report/source/part-views.ts';
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
    const state = countStates(told);
    const text = `${watched.text} ${state}.`.trim();
    const content = {
      ...head,
      sentences: [{ name: watched.name, text, link: undefined }],
      rows: told.slice(0, MAX_NAMED_ROWS).map((each) => contentOf(each, describe(each.row))),
      rowCount: told.length,
    };
    return frameContent(content, { ...subject, state }, isChanged ? [BEGINS_ANEW] : []);
  };
  const messages = moved.told.length === 0 ? [] : await tellAll({ setup, plan, opened }, table, moved.told, frame);
  return {
    messages,
    dataVersion,
    period,
    rows: rows.filter(({ holds }) => holds).length,
    states,
  };
}

type ToldRowStates = readonly ToldRowState<JudgedReportRow>[];

/** Tells the common targets all rows, and each recipient the own ones. */
async function tellAll(
  { setup, plan, opened }: Pick<AlertComposing, 'setup' | 'plan' | 'opened'>,
  table: Table,
  told: ToldRowStates,
  frame: (told: ToldRowStates) => ToldContent,
): Promise<DeliveryMessage[]> {
  const { records } = opened;
  const openTable = () => rowsAlone(table, told);
  const messages = await tellTargets(frame(told), plan.targets, [], openTable, setup.maxAttachmentBytes);
  for (const target of plan.targets) {
    if (target.kind !== 'each') continue;
    const ownerOf = await readOwners(table, target.each, records);
    const ids = new Set(told.flatMap(({ row }) => ownerOf(row.cells) ?? []));
    for (const recipient of await readRecipients(ids, target.each, target.addressesOf, records)) {
      const own = told.filter(({ row }) => ownerOf(row.cells) === recipient.id);
      messages.push(...addressMail(writeMail(frame(own), []), target.each, recipient, setup.domains));
    }
  }
  return messages;
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
  return { ...table, totals: undefined, rows: oneChunkOf(told.map(({ row }) => row.cells)) };
}

async function* oneChunkOf(rows: readonly (readonly Value[])[]): AsyncGenerator<readonly (readonly Value[])[]> {
  yield rows;
}
