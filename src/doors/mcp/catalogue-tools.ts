import { declareBody } from '../../base/body/index.ts';
import { AppError, listNames } from '../../base/index.ts';
import {
  allParametersOf,
  assertVisible,
  findReport,
  hiddenColumns,
  isRequired,
  offeredMeasures,
} from '../../numbers/report/catalogue/index.ts';
import { describeReport, listDimensions } from '../../numbers/report/describe/describe-catalogue.ts';
import { describeAddition, formatDerivation } from '../../numbers/report/explain/explain-request.ts';
import { catalogueOf, type ReportTool } from './report-tool.ts';

const text = { type: 'string' };

const listed = declareBody({
  type: 'object',
  properties: { report: { type: 'string', description: 'One report, in full.' } },
  additionalProperties: false,
});

export const listReportsTool: ReportTool = {
  name: 'list_reports',
  title: 'List the reports',
  description:
    'Lists the reports with their rows and parameters. With report: one report with the meaning of every parameter and column, and the dimensions of group_by.',
  scope: 'reports',
  inputSchema: ({ reports }) => listed.describe({ report: { enum: [...reports.keys()] } }),
  outputSchema: {
    type: 'object',
    properties: {
      reports: { type: 'array', items: { type: 'object' } },
      dimensions: { type: 'array', items: { type: 'object' }, description: 'The values of group_by.' },
    },
    required: ['reports'],
  },
  async run(sent, access) {
    const catalogue = catalogueOf(access);
    const { report: name } = listed.read(sent);
    if (name !== undefined) {
      const report = findReport(catalogue, name);
      const content = { reports: [describeReport(catalogue, report)], dimensions: listDimensions(catalogue) };
      return { summary: `${report.label}: ${report.description}`, content };
    }
    const reports = [...catalogue.reports.values()].map((report) => {
      const parameters = allParametersOf(catalogue, report).map((each) => each.name);
      return {
        name: report.name,
        label: report.label,
        description: report.description,
        row: report.row,
        required: parameters.filter((each) => isRequired(report, each)),
        parameters,
      };
    });
    return {
      summary: `${reports.length} reports: ${reports.map((report) => report.name).join(', ')}.`,
      content: { reports },
    };
  },
};

const described = declareBody({
  type: 'object',
  properties: { measure: { type: 'string', wayOut: 'give the name of one, as list_reports tells with report' } },
  required: ['measure'],
  additionalProperties: false,
});

export const describeMeasureTool: ReportTool = {
  name: 'describe_measure',
  title: 'Describe a measure',
  description:
    'Tells what a measure means: its unit, its formula, whether rows of it add up, and the reports that have it.',
  scope: 'reports',
  inputSchema: ({ measures }) => described.describe({ measure: { enum: [...measures.keys()] } }),
  outputSchema: {
    type: 'object',
    properties: {
      name: text,
      label: text,
      unit: text,
      group: text,
      description: text,
      formula: text,
      adds_up: { ...text, description: 'yes, no, over people (rows of different people add up) or over projects.' },
      better: { type: ['string', 'null'], description: 'The favorable direction: more, less or none.' },
      needs_rates: { type: 'boolean', description: 'True if it reveals a cost.' },
      reports: { type: 'array', items: text },
    },
    required: ['name', 'label', 'unit', 'description', 'formula', 'adds_up', 'needs_rates', 'reports'],
  },
  async run(sent, access) {
    const { full } = access.catalogues;
    const catalogue = catalogueOf(access);
    const { measure: asked } = described.read(sent);
    const hidden = [...full.reports.values()].flatMap((report) => hiddenColumns(full, report));
    assertVisible({ measure: asked }, access.scopes.has('rates') ? [] : hidden);
    const measure = catalogue.measures.get(asked);
    if (!measure) {
      throw new AppError('unknown', `There is no measure "${asked}"`, {
        hint: `The measures are ${listNames(asked, [...catalogue.measures.keys()])}.`,
      });
    }
    const { name, label, unit, group, description, better = null, needs_rates = false } = measure;
    const formula = formatDerivation(catalogue, measure);
    const reports = [...catalogue.reports.values()].filter((each) =>
      offeredMeasures(catalogue, each).includes(measure),
    );
    return {
      summary: `${label}: ${description} ${formula}`,
      content: {
        name,
        label,
        unit,
        group,
        description,
        formula,
        adds_up: describeAddition(measure),
        better,
        needs_rates,
        reports: reports.map((report) => report.name),
      },
    };
  },
};
