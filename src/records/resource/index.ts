export { settings, settingsResource } from './company-resources.ts';
export { isCurrency } from './currencies.ts';
export {
  AMOUNT_LIMIT,
  CONTRACT,
  DATES_FROM,
  DECIMAL_TYPES,
  decimalsOf,
  EFFORT_LIMIT,
  type Field,
  type Fields,
  type FieldType,
  HOURS_PER_DAY,
  type Items,
  MAX_CODE_CHARACTERS,
  MAX_INTEGER,
  MAX_JSON_PARTS,
  MIN_INTEGER,
  MONEY_DECIMALS,
  NOT_A_WEEK,
  OUTSIDE_DAY,
  OUTSIDE_PERCENT,
  RATE_LIMIT,
  SQL_TYPES,
  STATUSES,
  TIMES,
  WHOLE_PERCENT,
} from './field.ts';
export {
  defineResource,
  type InnerList,
  innerLists,
  type Method,
  ownLists,
  type Resource,
  sharedDaysReason,
} from './resource.ts';
export { findResource, resources } from './resources.ts';
export { CREATE_SEEN_RATES } from './seen-rates.ts';
