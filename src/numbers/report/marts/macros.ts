import { type Database, quoteName, quoteText } from '../../../base/database/index.ts';
import type { Catalogue, Parameter, Report } from '../catalogue/catalogue.ts';
import type { Company } from '../catalogue/company-settings.ts';
import { parametersOf } from '../catalogue/parameters.ts';
import { compileSummary } from '../plan/compile-summary.ts';
import { planList } from '../plan/plan-list.ts';
import { planSummary } from '../plan/plan-summary.ts';
import { regroup, reselect } from '../request/change-query.ts';
import { parseParameters } from '../request/parse-query.ts';
import type { Query } from '../request/query.ts';
import { readRule } from '../source/fact-rules.ts';
import type { QuerySql } from '../source/query-sql.ts';
import { readCompany } from '../source/read-company.ts';
import { WHOLE_SOURCE } from '../source/state-source.ts';
import { checkedLiteral, declareParameter } from './macro-values.ts';
import { periodDaysSql } from './period-sql.ts';

/** Parameters of a macro besides the filters: they choose lines and periods, not the presentation. */
const PARAMETERS = ['start_date', 'end_date', 'cutoff_date', 'status', 'interval'];

/** The rule of the default cutoff (3.1). */
const DEFAULT_CUTOFF = readRule('facts/default_cutoff');

/** Marks the place of a parameter's value in the SQL of a report. */
const given = (name: string) => `given_${name}`;

/**
 * Creates a table macro in the schema `reports` for each report, with the same numbers as the API.
 * `FROM reports.projects(start_date := '2026-01-01', end_date := '2026-03-31', tag := 'a,b')`
 * Parameters are texts or lists, under HTTP's rules; `interval`, an SQL keyword, is also `by_period`.
 * Rows come without totals. The pivot has no macro: SQL groups `marts.lines` itself.
 */
export async function buildMacros(database: Database, catalogue: Catalogue): Promise<void> {
  // They are made once for data that may get some.
  const company: Company = { ...(await readCompany(database)), contracts: 'all' };
  await database.run('CREATE SCHEMA IF NOT EXISTS reports');
  for (const macro of listMacros(catalogue)) await database.run(compileMacro(catalogue, macro, company));
  for (const macro of DAY_MACROS) await database.run(compileDayMacro(macro, company));
}

/** A macro of the schema `reports` that gives a day of a named period. */
export interface DayMacro {
  readonly name: string;
  readonly day: 'first' | 'last';
  readonly description: string;
}

/** The scalar macros: `reports.projects(start_date := reports.first_day('last_month'), ...)`. */
export const DAY_MACROS: readonly DayMacro[] = (['first', 'last'] as const).map((day) => ({
  name: `reports.${day}_day`,
  day,
  description: `The ${day} day of a named period, such as last_month, by today in the company's time zone.`,
}));

/** Returns the statements that create a macro of a named period. */
function compileDayMacro({ name, day, description }: DayMacro, company: Company): string {
  const days = periodDaysSql('period', todaySql(company.timeZone), company);
  return `
CREATE OR REPLACE MACRO ${name}(period) AS ${days}.${day};
COMMENT ON MACRO ${name} IS ${quoteText(description)};`;
}

export interface ReportMacro {
  readonly report: Report;
  readonly parameters: readonly Parameter[];
}

export function listMacros(catalogue: Catalogue): ReportMacro[] {
  return [...catalogue.reports.values()]
    .filter(({ rows, relation }) => rows || relation)
    .map((report) => ({
      report,
      parameters: parametersOf(catalogue, report).filter(({ name, filter }) => filter || PARAMETERS.includes(name)),
    }));
}

export function macroName({ name }: Report): string {
  return `reports.${name.replaceAll('-', '_')}`;
}

/**
 * Returns the statements that create the macro of a report.
 * Its body is the report's SQL as a text, into which a call formats its values as literals. As a text it is planned when
 * it is called; as SQL it would be planned when it is created, and read whenever the file is opened.
 */
function compileMacro(catalogue: Catalogue, { report, parameters }: ReportMacro, company: Company): string {
  const macro = macroName(report);
  const renamed = parameters.flatMap(({ sql_name }) =>
    sql_name === undefined ? [] : [`${quoteName(sql_name)} := NULL`],
  );
  const declared = [...parameters.map(declareParameter), ...renamed];
  const template = makeTemplate(compileRows(catalogue, report, company, parameters), parameters);
  const values = parameters.map((parameter) => passedLiteral(parameter, company));
  return `
CREATE OR REPLACE MACRO ${macro}(${declared.join(', ')}) AS TABLE
FROM query(format(${[quoteText(template), ...values].join(', ')}));
COMMENT ON MACRO TABLE ${macro} IS ${quoteText(`${report.description} A row is: ${report.row}`)};`;
}

/** Returns SQL with given parameters as a template of the engine's function format, which fills all places at once. */
function makeTemplate(sql: string, parameters: readonly Parameter[]): string {
  const places = new Map(parameters.map(({ name }, index) => [given(name), `{${index}}`]));
  return sql.replaceAll(/[{}]/g, '$&$&').replaceAll(/\bgiven_\w+/g, (name) => places.get(name) ?? name);
}

/** Returns SQL of the literal of a parameter's value, sent under either of its names. */
function passedLiteral(parameter: Parameter, company: Company): string {
  const { name, sql_name } = parameter;
  if (name === 'cutoff_date') {
    const day = todaySql(company.timeZone);
    const standard = `(WITH clock AS (SELECT ${day} AS today) SELECT cutoff_date FROM (${DEFAULT_CUTOFF(WHOLE_SOURCE)}) AS standard)`;
    return `CASE ${namedCutoffs(name, company)} ELSE ${checkedLiteral(parameter, name, quoteText(standard))} END`;
  }
  if (sql_name === undefined) return checkedLiteral(parameter);
  const [own, other] = [quoteName(name), quoteName(sql_name)];
  const both = quoteText(`${sql_name} and ${name} are one parameter; give one of them`);
  const isTwice = `${own} IS NOT NULL AND ${other} IS NOT NULL`;
  return `CASE WHEN ${isTwice} THEN error(${both}) ELSE ${checkedLiteral(parameter, `COALESCE(${own}, ${other})`)} END`;
}

/** Returns the branches of a CASE that give the literal of a cutoff that has a name. */
function namedCutoffs(sent: string, company: Company): string {
  const text = `CAST(${sent} AS VARCHAR)`;
  const period = `CASE ${text} WHEN 'last_week_end' THEN 'last_week' WHEN 'last_month_end' THEN 'last_month' ELSE ${text} END`;
  const days = periodDaysSql(period, todaySql(company.timeZone), company);
  return `WHEN ${text} = 'period_end' THEN '''' || CAST(end_date AS VARCHAR) || ''''
    WHEN ${text} IN ('today', 'yesterday', 'last_week_end', 'last_month_end') THEN '''' || ${days}.last || ''''`;
}

function compileRows(catalogue: Catalogue, report: Report, company: Company, parameters: readonly Parameter[]): string {
  const query = queryOf(catalogue, report, parameters);
  const querySql = macroQuerySql(company);
  if (report.relation) return planList(query, company, querySql).sql;
  const { sql, columns } = compileSummary(planSummary(query, company, querySql));
  return `SELECT ${columns.map(({ name }) => quoteName(name)).join(', ')} FROM (${sql}) AS report WHERE NOT is_total`;
}

/** Returns a query whose filters and interval are the macro's parameters. */
function queryOf(catalogue: Catalogue, report: Report, parameters: readonly Parameter[]): Query {
  const anyDay = '2000-01-01';
  const days = { today: anyDay, company: { loggedDays: [], weekStartsOn: 1, fiscalYearStartsIn: 1 } };
  const query = parseParameters(catalogue, report, { start_date: anyDay, end_date: anyDay }, days);
  const filters = parameters
    .filter(({ filter }) => filter)
    .map((parameter) => ({ parameter, values: { expression: given(parameter.name) } }));
  const hasInterval = parameters.some(({ name }) => name === 'interval');
  return regroup(reselect(query, { filters }), {
    interval: hasInterval ? { expression: given('interval') } : undefined,
  });
}

function macroQuerySql({ timeZone }: Company): QuerySql {
  return {
    start: `CAST(${given('start_date')} AS DATE)`,
    end: `CAST(${given('end_date')} AS DATE)`,
    cutoff: `CAST(${given('cutoff_date')} AS DATE)`,
    today: todaySql(timeZone),
    hasStatus: (column) => `list_contains(${given('status')}, CAST(${column} AS VARCHAR))`,
  };
}

function todaySql(timeZone: string): string {
  return `CAST(timezone(${quoteText(timeZone)}, now()) AS DATE)`;
}
