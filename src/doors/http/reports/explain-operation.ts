import { type Catalogue, summingReports } from '../../../numbers/report/catalogue/index.ts';
import { parameterSchema } from '../../../numbers/report/describe/describe-catalogue.ts';
import { choosesNumber } from '../../../numbers/report/request/number.ts';
import { errors, reference, type Schema, TEXT_OR_NULL } from '../protocol/operations.ts';

/** Describes GET /v3/explain. */
export function explainOperation(catalogue: Catalogue): object {
  const summing = summingReports(catalogue);
  const parameter = (name: string, description: string, schema: Schema) => ({ name, in: 'query', description, schema });
  const described = ['report', 'measure', 'group_by'];
  const others = [...catalogue.parameters.values()].filter(
    ({ name }) => choosesNumber(name) && !described.includes(name),
  );
  const [pivot] = summing.filter(({ rows }) => !rows);
  return {
    tags: ['Reports'],
    operationId: 'explain',
    summary: 'Why a number is what it is, or a line',
    description:
      'Explains a number: give its report, its measure, and the parameters and the keys of its row, as _lines has them. Or explains a line by its line_id, rule by rule. Decimals are strings.',
    parameters: [
      parameter('line_id', 'The line to explain, alone.', { type: 'string' }),
      parameter('report', 'The report with the number; the pivot, if left out.', {
        type: 'string',
        enum: summing.map(({ name }) => name),
      }),
      parameter('measure', 'The measure.', { type: 'string', enum: [...catalogue.measures.keys()] }),
      parameter('group_by', 'The dimensions of a row of the pivot.', { type: 'string' }),
      ...others.flatMap((each) =>
        pivot
          ? [
              {
                ...parameter(each.name, each.description, parameterSchema(each, pivot, catalogue)),
                style: 'form',
                explode: false,
              },
            ]
          : [],
      ),
    ],
    responses: {
      '200': { description: 'The explanation.', content: { 'application/json': { schema: answer } } },
      '304': { description: 'Nothing has changed.' },
      ...errors([400, 401, 403, 404, 422, 429, 500, 503]),
    },
  };
}

const answer: Schema = {
  type: 'object',
  properties: {
    explain: {
      type: 'object',
      description:
        'Of a number: value, formula, terms, parts and lines. Of a line: the line, and the steps that made it.',
      properties: {
        report: TEXT_OR_NULL,
        measure: TEXT_OR_NULL,
        label: TEXT_OR_NULL,
        unit: TEXT_OR_NULL,
        value: TEXT_OR_NULL,
        formula: TEXT_OR_NULL,
        terms: { type: 'array', items: { type: 'object' } },
        percent: { type: ['object', 'null'], description: 'The part and the whole of a percentage.' },
        points: { type: ['object', 'null'], description: 'The two percentages of a difference in percentage points.' },
        operands: {
          type: 'array',
          items: { type: 'object' },
          description: 'The measures that one of earned value is made of, down to sums of lines.',
        },
        parts: {
          type: 'object',
          description: 'The number by person, by month and by the source of its rates, largest first.',
        },
        lines: { ...TEXT_OR_NULL, description: 'The query for the lines behind the number.' },
        line: { type: 'object' },
        steps: { type: 'array', items: { type: 'object' } },
      },
    },
    meta: reference('schemas', 'Meta'),
  },
  required: ['explain', 'meta'],
};
