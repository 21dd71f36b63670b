import { listNames } from '../../base/index.ts';
import type { Literal } from '../../numbers/condition/index.ts';
import {
  columnProperty,
  type EdmType,
  formatText,
  KINDS,
  type RowProperty,
  wrongPart,
} from '../../numbers/condition/index.ts';
import {
  allParametersOf,
  type Catalogue,
  FORM_PARAMETERS,
  isRequired,
  type Parameter,
  type Report,
} from '../../numbers/report/catalogue/index.ts';
import { columnsOf } from '../../numbers/report/describe/describe-catalogue.ts';

/** A report as a function, whose result is a collection of its rows. */
export interface ReportFunction {
  readonly name: string;
  readonly report: string;
  readonly description: string;
  /** Required parameters come first. */
  readonly parameters: readonly FunctionParameter[];
  /** Every property that a row can have, by the parameters. */
  readonly properties: readonly RowProperty[];
}

interface FunctionParameter {
  readonly name: string;
  readonly type: EdmType;
  /** True for a day that may have a name: its texts are days without quotes, too. */
  readonly isNamedDay: boolean;
  readonly isRequired: boolean;
  readonly description: string;
}

/** Types of parameters; all others are texts, with commas between the items of a list. */
const PARAMETER_TYPES: Readonly<Partial<Record<Parameter['type'], EdmType>>> = {
  date: 'Edm.Date',
  flag: 'Edm.Boolean',
  count: 'Edm.Int32',
};

/** Lists the reports as functions by name; query options stand for the parameters of an answer's form. */
export function listFunctions(catalogue: Catalogue): Map<string, ReportFunction> {
  const functions = [...catalogue.reports.values()].map((report) => makeFunction(catalogue, report));
  return new Map(functions.map((each) => [each.name, each]));
}

function makeFunction(catalogue: Catalogue, report: Report): ReportFunction {
  const parameters = allParametersOf(catalogue, report)
    .filter(({ name }) => !FORM_PARAMETERS.includes(name))
    .map(({ name, type, values, description }) => ({
      name,
      type: (values ? undefined : PARAMETER_TYPES[type]) ?? 'Edm.String',
      isNamedDay: type === 'date' && values !== undefined,
      isRequired: isRequired(report, name),
      description,
    }));
  return {
    name: `report_${report.name.replaceAll('-', '_')}`,
    report: report.name,
    description: `${report.description} A row is: ${report.row}`,
    parameters: [...parameters.filter((each) => each.isRequired), ...parameters.filter((each) => !each.isRequired)],
    properties: columnsOf(catalogue, report)
      .filter(({ name, when }) => !name.startsWith('_') && when !== 'fields')
      .map(columnProperty),
  };
}

/**
 * Returns the arguments of a call as parameters of the report; null counts as not given.
 * @throws AppError usage naming a parameter that is unknown, missing or of another type.
 */
export function readArguments(
  { name: called, parameters }: ReportFunction,
  given: ReadonlyMap<string, Literal>,
): Record<string, string> {
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const sent: [string, string][] = [];
  for (const [name, literal] of given) {
    const parameter = known.get(name);
    if (!parameter)
      throw wrongPart(name, `${called} has no parameter ${name}; it has ${listNames(name, [...known.keys()])}`);
    if (literal.kind !== 'null') sent.push([name, readArgument(parameter, literal)]);
  }
  const missing = parameters.find(({ name, isRequired }) => isRequired && !sent.some(([own]) => own === name));
  if (missing) throw wrongPart(missing.name, `${called} needs the parameter ${missing.name}: ${missing.description}`);
  return Object.fromEntries(sent);
}

/** The forms of literals by type, for errors. */
const FORMS: Readonly<Partial<Record<EdmType, string>>> = {
  'Edm.Date': 'without quotes, such as 2026-01-31',
  'Edm.Boolean': 'without quotes, as true or false',
  'Edm.Int32': 'without quotes, such as 5',
};

function readArgument({ name, type, isNamedDay }: FunctionParameter, { kind, text }: Literal): string {
  if (kind !== KINDS[type] && !(isNamedDay && kind === 'date')) {
    const shown = kind === 'text' ? formatText(text) : text;
    throw wrongPart(
      name,
      `${name}: ${shown} is not an ${type}; write it ${FORMS[type] ?? `in quotes: ${formatText(text)}`}`,
    );
  }
  return kind === 'boolean' ? String(Number(text === 'true')) : text;
}
