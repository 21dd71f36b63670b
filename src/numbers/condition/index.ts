export { compareSql } from './comparison.ts';
export { notImplemented, wrongPart } from './condition-error.ts';
export { type ExpressionScope, type OrderExpression, parseFilter, parseOrder } from './expression.ts';
export { FUNCTIONS_BY_NAME } from './expression-functions.ts';
export { openReader } from './expression-reader.ts';
export {
  columnProperty,
  type EdmType,
  formatText,
  KINDS,
  literalOf,
  propertyOf,
  type RowProperty,
  type ValueKind,
} from './row-property.ts';
export { type ExpressionToken, type Literal, tokenize, wordsOf } from './tokenize.ts';
