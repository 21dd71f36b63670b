import { type Database, quoteName, quoteText } from '../database/database.ts';
import type { Catalogue, Parameter, Report } from './catalogue.ts';
import { type Company, readCompany } from './company-settings.ts';
import { compileList } from './compile-list.ts';
import { compileSummary } from './compile-summary.ts';
import { checkedValue, declareParameter } from './macro-values.ts';
import { parametersOf, parseParameters, type Query } from './parameters.ts';
import type { QuerySql } from './query-sql.ts';

/** Parameters of a macro besides the filters: they choose lines and periods, not the presentation. */
const PARAMETERS = ['start_date', 'end_date', 'cutoff_date', 'status', 'interval'];

/** Prefixes a parameter inside the macro, where it would shadow every column of its name. */
const given = (name: string) => `given_${name}`;

/**
 * Creates a table macro in the schema `reports` for each report, with the same numbers as the API.
 * `FROM reports.projects(start_date := '2026-01-01', end_date := '2026-03-31', tag := 'a,b')`
 * Parameters are texts or lists, under HTTP's rules; `interval`, an SQL keyword, is also `by_period`.
 * Rows come without totals. The pivot has no macro: SQL groups `marts.lines` itself.
 */
export async function buildMacros(database: Database, catalogue: Catalogue): Promise<void> {
  const company = await readCompany(database);
  await database.run('CREATE SCHEMA IF NOT EXISTS reports');
  for (const report of catalogue.reports.values()) {
    if (report.rows || report.relation) await database.run(compileMacro(catalogue, report, company));
  }
}

/**
 * Returns the statements that create the two macros of a report.
 * The inner macro holds the statement, with parameter names that no column has.
 * The outer one has the public names and calls it by text: a parameter hides columns of its name.
 */
function compileMacro(catalogue: Catalogue, report: Report, company: Company): string {
  const parameters = parametersOf(catalogue, report).filter(({ name, filter }) => filter || PARAMETERS.includes(name));
  const name = report.name.replaceAll('-', '_');
  const inner = `core.${name}_report`;
  const outer = `reports.${name}`;
  const renamed = parameters.flatMap(({ sql_name }) =>
    sql_name === undefined ? [] : [`${quoteName(sql_name)} := NULL`],
  );
  const declared = [...parameters.map(declareParameter), ...renamed];
  const passed = parameters.map((parameter) => `pl_literal(${passedValue(parameter)})`).join(` || ', ' || `);
  return `
CREATE OR REPLACE MACRO ${inner}(${parameters.map(({ name: parameter }) => given(parameter)).join(', ')}) AS TABLE
${compileRows(catalogue, report, company, parameters)};
CREATE OR REPLACE MACRO ${outer}(${declared.join(', ')}) AS TABLE
FROM query('FROM ${inner}(' || ${passed} || ')');
COMMENT ON MACRO TABLE ${outer} IS ${quoteText(`${report.description} A row is: ${report.row}`)};`;
}

/** Returns the SQL of a parameter's value, sent under either of its names. */
function passedValue(parameter: Parameter): string {
  const { name, sql_name } = parameter;
  if (sql_name === undefined) return checkedValue(parameter);
  const [own, other] = [quoteName(name), quoteName(sql_name)];
  const both = quoteText(`${sql_name} and ${name} are one parameter; give one of them`);
  const isTwice = `${own} IS NOT NULL AND ${other} IS NOT NULL`;
  return `CASE WHEN ${isTwice} THEN error(${both}) ELSE ${checkedValue(parameter, `COALESCE(${own}, ${other})`)} END`;
}

function compileRows(catalogue: Catalogue, report: Report, company: Company, parameters: readonly Parameter[]): string {
  const query = queryOf(catalogue, report, parameters);
  const querySql = macroQuerySql(company);
  if (report.relation) return compileList(query, querySql).sql;
  const { sql, columns } = compileSummary(catalogue, query, company, querySql);
  return `SELECT ${columns.map(({ name }) => quoteName(name)).join(', ')} FROM (${sql}) AS report WHERE NOT is_total`;
}

/** Returns a query whose filters and interval are the macro's parameters. */
function queryOf(catalogue: Catalogue, report: Report, parameters: readonly Parameter[]): Query {
  const anyDay = '2000-01-01';
  const query = parseParameters(catalogue, report, { start_date: anyDay, end_date: anyDay }, anyDay);
  return {
    ...query,
    interval: parameters.some(({ name }) => name === 'interval') ? { expression: given('interval') } : undefined,
    filters: parameters
      .filter(({ filter }) => filter)
      .map((parameter) => ({ parameter, values: { expression: `CAST(${given(parameter.name)} AS VARCHAR)` } })),
  };
}

function macroQuerySql({ timeZone }: Company): QuerySql {
  const today = `CAST(timezone(${quoteText(timeZone)}, now()) AS DATE)`;
  return {
    start: `CAST(${given('start_date')} AS DATE)`,
    end: `CAST(${given('end_date')} AS DATE)`,
    cutoff: `COALESCE(CAST(${given('cutoff_date')} AS DATE), ${today})`,
    today,
    hasStatus: (column) => `list_contains(string_split(${given('status')}, ','), CAST(${column} AS VARCHAR))`,
  };
}
