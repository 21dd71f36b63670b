import { parseDuration } from '../../config/duration.ts';
import { type AppError, messageOf } from '../../error.ts';
import { parseFilter } from '../../odata/expression.ts';
import { reportProperty } from '../../odata/report-functions.ts';
import { wordsOf } from '../../odata/tokenize.ts';
import { allParametersOf, type Catalogues, findReport, type Report } from '../../report/catalogue/definitions.ts';
import { columnsOf } from '../../report/describe/describe-catalogue.ts';
import { parseReportRequest } from '../../report/request/number.ts';
import type { SettingPath, SetupFaults } from '../../setup-file/setup-faults.ts';
import type { FormatName } from '../../write/formats.ts';
import { CRON_FORM, findCronFault } from '../schedule/cron.ts';
import { type AlertRule, type DeliveryPlan, type DeliveryTarget, OWN_ROWS, type Problem } from './delivery-setup.ts';
import { checkMarts, readMarts } from './read-marts.ts';
import { readTarget, type TargetParts, type WrittenTarget } from './read-targets.ts';

/** A delivery or an alert as the schema has it. */
export interface WrittenPlan {
  readonly name: string;
  readonly when?: string;
  readonly report?: string;
  readonly marts?: string | readonly string[];
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  readonly where?: string;
  readonly formats?: readonly FormatName[];
  readonly rates?: boolean;
  readonly max_age?: string;
  readonly wait?: string;
  readonly to: readonly WrittenTarget[];
  readonly insight?: string;
  readonly problems?: readonly Problem[];
  readonly rows?: AlertRule['rows'];
  readonly for?: number;
  readonly recover_for?: number;
  readonly remind?: string;
}

/** The company whose days a request is checked with. */
export type CheckedDays = Parameters<typeof parseReportRequest>[3];

export interface PlanParts extends TargetParts {
  readonly catalogues: Catalogues;
  readonly days: CheckedDays;
}

/** The moments that are no cron expression: another data version, and a period that is closed. */
export const EVENTS = ['new_data', 'closed'];

/** The wait for newer data. Unit: s. */
const WAIT_SECONDS = 3600;

/** Reads a delivery or an alert. @returns undefined after adding faults that leave nothing to send. */
export function readPlan(
  written: WrittenPlan,
  path: SettingPath,
  parts: PlanParts,
  isAlert: boolean,
): DeliveryPlan | undefined {
  const { faults } = parts;
  const { name, when = 'new_data', report: reportName, where, rates = false } = written;
  const cronFault = EVENTS.includes(when) ? undefined : findCronFault(when);
  if (cronFault !== undefined) faults.add([...path, 'when'], `${cronFault}. ${CRON_FORM}`);
  const targets = written.to.flatMap((each, index) => readTarget(each, [...path, 'to', index], parts) ?? []);
  const parameters = Object.fromEntries(
    Object.entries(written.parameters ?? {}).map(([key, value]) => [
      key,
      typeof value === 'boolean' ? String(Number(value)) : String(value),
    ]),
  );
  const seconds = (key: 'max_age' | 'wait' | 'remind') => {
    const text = written[key];
    return text === undefined ? undefined : faults.try([...path, key], () => parseDuration(key, text));
  };
  if (isAlert) checkAlert(written, path, faults);
  const plan: DeliveryPlan = {
    name,
    when,
    report: reportName,
    marts: readMarts(written, path, faults),
    parameters,
    where,
    formats: [...new Set(written.formats ?? [])],
    seesRates: rates,
    maxAgeSeconds: seconds('max_age'),
    waitSeconds: seconds('wait') ?? WAIT_SECONDS,
    targets,
    alert: isAlert
      ? {
          insight: written.insight,
          problems: written.problems ?? [],
          rows: written.rows ?? 'any',
          holdsFor: written.for ?? 1,
          recoversFor: written.recover_for ?? 1,
          remindSeconds: seconds('remind'),
        }
      : undefined,
  };
  checkMarts(plan, written, path, faults);
  if (reportName !== undefined) checkReportOf(plan, reportName, path, parts);
  checkFiles(plan, path, faults);
  return plan;
}

/** Checks that an alert has one subject. */
function checkAlert(
  { report, where, insight, problems, rows, to }: WrittenPlan,
  path: SettingPath,
  faults: SetupFaults,
): void {
  const conditions = Object.entries({ where, insight, problems }).filter(([, value]) => value !== undefined);
  const [kind] = conditions[0] ?? [];
  if (conditions.length !== 1) {
    const given = conditions.map(([name]) => name).join(' and ') || 'no condition';
    faults.add(path, `has ${given}; write one of where, insight and problems`);
  } else if (
    to.some((target) => target.each !== undefined) &&
    (kind === 'problems' || (rows !== undefined && rows !== 'any'))
  ) {
    faults.add([...path, 'to'], 'has each, and only single rows of a report belong to somebody');
  } else if ((kind === 'problems') === (report !== undefined)) {
    faults.add(path, kind === 'problems' ? 'has problems, which are of no report; leave report out' : 'has no report');
  }
}

/** Checks that files have a place, and that each place gets files. */
function checkFiles({ formats, targets, where, alert }: DeliveryPlan, path: SettingPath, faults: SetupFaults): void {
  for (const [index, { kind }] of targets.entries()) {
    if (kind !== 'folder' && kind !== 's3') continue;
    if (alert)
      faults.add([...path, 'to', index], 'gets files, and an alert has none; write email, webhook, slack or teams');
    else if (formats.length === 0) faults.add(path, 'has no formats for its files; write formats: [xlsx]');
  }
  if (where !== undefined && formats.includes('xlsx'))
    faults.add(
      [...path, 'formats'],
      'has xlsx, and a workbook has all rows of its report; leave where out, or write csv',
    );
}

function checkReportOf(plan: DeliveryPlan, name: string, path: SettingPath, parts: PlanParts): void {
  const { faults, catalogues } = parts;
  const report = faults.try([...path, 'report'], () => findReport(catalogues.full, name));
  if (!report) return;
  checkRequest(plan, report, path, parts);
  checkCondition(plan, report, path, parts);
  const { insights } = catalogues.full;
  const insight = plan.alert?.insight;
  if (insight !== undefined && !insights.rules.has(insight))
    faults.add([...path, 'insight'], `is "${insight}", not one of ${[...insights.rules.keys()].join(', ')}`);
  else if (insight !== undefined && !report.parameters?.includes('insights'))
    faults.add([...path, 'insight'], `is about projects and phases, not about rows of ${name}`);
  for (const [index, target] of plan.targets.entries()) checkOwnRows(target, report, [...path, 'to', index], parts);
}

/** Checks the parameters as a request of the report; days of states that it names aren't known yet. */
function checkRequest(
  plan: DeliveryPlan,
  { name }: Report,
  path: SettingPath,
  { catalogues, days, faults }: PlanParts,
) {
  const { as_of: _, ...sent } = plan.parameters;
  const window = plan.when === 'closed' && !('period' in sent || 'start_date' in sent) ? { period: 'today' } : {};
  const at: SettingPath = plan.parameters && Object.keys(plan.parameters).length > 0 ? [...path, 'parameters'] : path;
  try {
    parseReportRequest(catalogues, name, { ...sent, ...window }, { ...days, seesRates: plan.seesRates });
  } catch (error) {
    const { fields = [] } = error as Partial<AppError>;
    if (fields.length === 0) faults.add(at, messageOf(error));
    for (const { field, message } of fields) {
      const isWritten = plan.parameters[field] !== undefined;
      faults.add(isWritten ? [...at, field] : at, message.replace(/^(\w+): /, isWritten ? '' : '$1: '));
    }
  }
}

function checkCondition(
  { where, parameters, seesRates, alert }: DeliveryPlan,
  report: Report,
  path: SettingPath,
  { catalogues, faults }: PlanParts,
): void {
  // Periods as columns have names that only an answer tells.
  if (where === undefined || parameters['columns'] !== undefined) return;
  const all = columnsOf(catalogues.full, report).filter(({ name }) => !name.startsWith('_'));
  const seen = all.filter(({ needsRates }) => seesRates || !needsRates);
  const properties = new Map(seen.map((column) => [column.name, reportProperty(column)]));
  const refuse = (why: string) => faults.add([...path, 'where'], `is "${where}": ${why}`);
  try {
    const words = wordsOf(where);
    const hidden = all.find(({ name }) => !properties.has(name) && words.has(name));
    if (hidden) refuse(`${hidden.name} reveals a cost, so it needs rates: true`);
    else parseFilter(where, { properties, aliases: new Map() });
  } catch (error) {
    refuse(messageOf(error).replace(/^\$filter: /, ''));
  }
  if (alert?.rows === 'total' && report.relation)
    faults.add([...path, 'rows'], `is total, and ${report.name} lists rows without a total`);
}

/** Checks that the rows of a report belong to the recipients that each get their own. */
function checkOwnRows(target: DeliveryTarget, report: Report, path: SettingPath, parts: PlanParts): void {
  if (target.kind !== 'each') return;
  const { catalogues, faults } = parts;
  const columns = columnsOf(catalogues.full, report).map(({ name }) => name);
  const own = OWN_ROWS[target.each];
  const takes = allParametersOf(catalogues.full, report).some(({ name }) => name === own);
  if (takes && ownerColumnsOf(target.each).some((column) => columns.includes(column))) return;
  const message = `is ${target.each}, and no column of ${report.name} says whose a row is`;
  faults.add([...path, 'each'], `${message}; it needs ${ownerColumnsOf(target.each).join(' or ')}`);
}

/** Returns the columns that tell whose a row is: that of the recipient, or one of a record that is the recipient's. */
export function ownerColumnsOf(each: Extract<DeliveryTarget, { kind: 'each' }>['each']): string[] {
  const byProject = each === 'project_manager' || each === 'client';
  return [OWN_ROWS[each], ...(byProject ? ['project_id'] : each === 'department' ? ['people_id'] : [])];
}
