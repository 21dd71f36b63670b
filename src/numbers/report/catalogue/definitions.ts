/*
 * The catalogue: reports, dimensions, measures and parameters as data, read from reports/*.yaml.
 * Readers without the scope rates get a catalogue of their own, in which no measure reveals a cost.
 * `catalogue` has the types, `load-catalogue` reads and checks the files, `table` is what every report becomes.
 * Other parts import this file, `table` and `load-catalogue`.
 */
export { type AsOfState, referenceTo } from './as-of-state.ts';
export {
  aliasesOf,
  type Catalogue,
  findReport,
  groupingReports,
  offeredMeasures,
  type Parameter,
  type Report,
  summingReports,
} from './catalogue.ts';
export { type Company, describeLoading, type Loading, todayOf } from './company-settings.ts';
export type { ClosingInForce } from './cutoff.ts';
export type { Rule } from './insight-rule.ts';
export type { Criterion, LineSum } from './line-set.ts';
export { joinItems } from './list-item.ts';
export { additiveMeasures, digestMeasures } from './measure-digest.ts';
export { operandsOf } from './measure-meaning.ts';
export { allParametersOf, FORM_PARAMETERS, isRequired, parametersOf, WINDOW_PARAMETERS } from './parameters.ts';
export { dateLiteral } from './period.ts';
export { assertVisible, type Catalogues, hiddenColumns } from './rates.ts';
