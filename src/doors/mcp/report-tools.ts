import { declareBody } from '../../base/body/index.ts';
import { listNames, refuseFields } from '../../base/index.ts';
import {
  allParametersOf,
  type Catalogue,
  findReport,
  groupingReports,
  isRequired,
} from '../../numbers/report/catalogue/index.ts';
import { type ParameterSchema, parameterSchema } from '../../numbers/report/describe/describe-catalogue.ts';
import { readParameters } from '../../store/ask/index.ts';
import { ROWS_SCHEMA } from '../registry/tool-rows.ts';
import { answerReport } from './report-answer.ts';
import type { ReportTool } from './report-tool.ts';

/** The parameters whose values depend on the report. */
const OF_COLUMNS = ['fields', 'sort'];

/** A parameter of rows beside the rows, which an answer has no place for. */
const NOT_OF_TOOLS = 'subtotals';

const named = declareBody({
  type: 'object',
  properties: { report: { type: 'string', wayOut: 'give the name of one, as list_reports tells' } },
  required: ['report'],
});

export const runReportTool: ReportTool = {
  name: 'run_report',
  title: 'Run a report',
  description:
    'Runs a report over a window of days, given by start_date and end_date or by period: projects, phases, tasks or people with their measures, or a pivot by any dimensions; changes compares two kept states, or one with the present data, by causes that add up. Take the names of reports, parameters and columns from list_reports. Name the columns you need in fields: a report has some forty. With insights=1, projects and phases say what needs a look.',
  scope: 'reports',
  inputSchema: (catalogue) => ({
    type: 'object',
    properties: {
      ...unionSchemas(catalogue),
      report: { type: 'string', enum: groupingReports(catalogue).map(({ name }) => name), description: 'The report.' },
    },
    required: ['report'],
    additionalProperties: false,
  }),
  outputSchema: ROWS_SCHEMA,
  async run(sent, access, signal) {
    const known = groupingReports(access.catalogues.full).map((report) => report.name);
    const { report: name } = named.read(sent);
    if (!known.includes(name)) {
      const message = `report: ${JSON.stringify(name)} is not one of ${listNames(name, known)}; lines, changed_lines and data_quality are tools of their own`;
      refuseFields([{ field: 'report', message }]);
    }
    return answerReport(name, readParameters({ ...sent, report: undefined }), access, signal);
  },
};

export const linesTool = toolOf('lines', 'lines', {
  title: 'List lines',
  description:
    'Lists the lines of the ledger that every number is a sum of: scheduled days, logged time and expenses, with names, rates and their sources. With measure (and the parameters and keys of a row), only the lines behind that number, each with its contribution.',
});

export const changedLinesTool = toolOf('changed_lines', 'changed-lines', {
  title: 'List changed lines',
  description:
    'Lists the lines behind a difference of the report changes, then and now, each with its contribution, its causes, and its last write; with from=closings, also its closing. The measure is a sum of lines, or budget_used, budget_remaining or budget_forecast. Take it and the keys of a row from run_report of changes, for budgets also its group_by.',
});

export const dataQualityTool = toolOf('data_quality', 'data-quality', {
  title: 'List findings about the data',
  description:
    'Lists what in the data may make a number wrong or incomplete, such as hours without a cost rate or time logged outside of employment. Look here before you explain a surprising number.',
});

function toolOf(name: string, report: string, words: Pick<ReportTool, 'title' | 'description'>): ReportTool {
  return {
    name,
    ...words,
    scope: 'reports',
    inputSchema(catalogue) {
      const found = findReport(catalogue, report);
      const parameters = allParametersOf(catalogue, found);
      return {
        type: 'object',
        properties: {
          ...Object.fromEntries(
            parameters.map((each) => [each.name, describe(each.description, parameterSchema(each, found, catalogue))]),
          ),
        },
        required: parameters.map((each) => each.name).filter((each) => isRequired(found, each)),
        additionalProperties: false,
      };
    },
    outputSchema: ROWS_SCHEMA,
    run: (sent, access, signal) => answerReport(report, readParameters(sent), access, signal),
  };
}

function unionSchemas(catalogue: Catalogue): Record<string, ParameterSchema> {
  const reports = groupingReports(catalogue);
  const known = [...catalogue.parameters.values()].filter(({ name }) => name !== NOT_OF_TOOLS);
  const schemas = known.flatMap((parameter) => {
    const takers = reports.filter((report) =>
      allParametersOf(catalogue, report).some(({ name }) => name === parameter.name),
    );
    const [taker] = takers;
    if (!taker) return [];
    const only = takers.length === reports.length ? '' : ` Only for ${takers.map(({ name }) => name).join(', ')}.`;
    const schema: ParameterSchema = OF_COLUMNS.includes(parameter.name)
      ? { type: 'array', minItems: 1, items: { type: 'string' } }
      : parameterSchema(parameter, taker, catalogue);
    return [[parameter.name, describe(`${parameter.description}${only}`, schema)] as const];
  });
  return Object.fromEntries(schemas);
}

function describe(description: string, schema: ParameterSchema): ParameterSchema {
  return { ...schema, description };
}
