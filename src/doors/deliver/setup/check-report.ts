import { type AppError, listNames, messageOf } from '../../../base/index.ts';
import type { SettingPath } from '../../../base/setup-file/index.ts';
import { columnProperty, parseFilter, wordsOf } from '../../../numbers/condition/index.ts';
import { allParametersOf, type Catalogues, findReport, type Report } from '../../../numbers/report/catalogue/index.ts';
import { columnsOf } from '../../../numbers/report/describe/describe-catalogue.ts';
import { parseReportRequest, type Query, type QueryOptions } from '../../../numbers/report/request/number.ts';
import { assertColumns } from '../../../numbers/report/run/run.ts';
import { seenWhole } from '../../../numbers/report/source/index.ts';
import { assertFormat } from '../../../store/ask/index.ts';
import { type DeliveryPlan, type DeliveryTarget, OWN_ROWS } from './delivery-setup.ts';
import type { TargetParts } from './read-targets.ts';

export type CheckedDays = Parameters<typeof parseReportRequest>[3];

export interface PlanParts extends TargetParts {
  readonly catalogues: Catalogues;
  readonly days: CheckedDays;
  /** True if the file names one of access. */
  readonly hasAccess: boolean;
}

/** Checks the report of a delivery: its parameters, its condition, and whose its rows are. */
export function checkReportOf(plan: DeliveryPlan, name: string, path: SettingPath, parts: PlanParts): void {
  const { faults, catalogues } = parts;
  const report = faults.try([...path, 'report'], () => findReport(catalogues.full, name));
  if (!report) return;
  const query = checkRequest(plan, report, path, parts);
  checkCondition(plan, report, path, { ...parts, fields: query?.presentation.fields });
  const { insights } = catalogues.full;
  const insight = plan.alert?.insight;
  if (insight !== undefined && !insights.rules.has(insight))
    faults.add([...path, 'insight'], `is "${insight}", not one of ${listNames(insight, [...insights.rules.keys()])}`);
  else if (insight !== undefined && !plan.seesRates && !catalogues.withoutRates.insights.rules.has(insight))
    faults.add([...path, 'insight'], `is "${insight}", which reveals a cost, so it needs rates: true`);
  else if (insight !== undefined && !report.parameters?.includes('insights'))
    faults.add([...path, 'insight'], `is about projects and phases, not about rows of ${name}`);
  for (const [index, target] of plan.targets.entries()) checkOwnRows(target, report, [...path, 'to', index], parts);
}

/** Checks the parameters as a request of the report in each format; the states that it names aren't known yet. @returns undefined after a fault. */
function checkRequest(
  { when, parameters, formats, seesRates, only }: DeliveryPlan,
  { name }: Report,
  path: SettingPath,
  { catalogues, days, faults }: PlanParts,
): Query | undefined {
  const { as_of: _, ...sent } = parameters;
  const window = when === 'closed' && !('period' in sent || 'start_date' in sent) ? { period: 'today' } : {};
  const at: SettingPath = Object.keys(parameters).length > 0 ? [...path, 'parameters'] : path;
  const check = <T>(judge: () => T): T | undefined => {
    try {
      return judge();
    } catch (error) {
      const { fields = [] } = error as Partial<AppError>;
      if (fields.length === 0) faults.add(at, messageOf(error));
      for (const { field, message } of fields) {
        const isWritten = parameters[field] !== undefined;
        faults.add(isWritten ? [...at, field] : at, message.replace(/^(\w+): /, isWritten ? '' : '$1: '));
      }
      return undefined;
    }
  };
  const part = only && seenWhole(only);
  const baseline = nameBaseline(sent['baseline'], days);
  const query = check(() =>
    parseReportRequest(catalogues, name, { ...sent, ...window }, { ...days, seesRates, part, baseline }),
  );
  if (!query) return undefined;
  for (const format of formats) check(() => assertFormat(query, format));
  check(() => assertColumns(query, days.company));
  return query;
}

/** Stands for a state that is found when the report is asked for. */
function nameBaseline(state: string | undefined, { today }: CheckedDays): QueryOptions['baseline'] {
  if (state === undefined) return undefined;
  return { asOf: { state, number: null, kind: 'named', keptAt: today, day: today, measures: {} }, catalog: '' };
}

function checkCondition(
  { where, parameters, seesRates, alert }: DeliveryPlan,
  report: Report,
  path: SettingPath,
  { catalogues, faults, fields }: PlanParts & Pick<Query['presentation'], 'fields'>,
): void {
  // Periods as columns have names that only an answer tells.
  if (where === undefined || parameters['columns'] !== undefined) return;
  const all = columnsOf(catalogues.full, report).filter(
    ({ name }) => !name.startsWith('_') && fields?.includes(name) !== false,
  );
  const seen = all.filter(({ needsRates }) => seesRates || !needsRates);
  const properties = new Map(seen.map((column) => [column.name, columnProperty(column)]));
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
function ownerColumnsOf(each: Extract<DeliveryTarget, { kind: 'each' }>['each']): string[] {
  const byProject = each === 'project_manager' || each === 'client';
  return [OWN_ROWS[each], ...(byProject ? ['project_id'] : each === 'department' ? ['people_id'] : [])];
}
