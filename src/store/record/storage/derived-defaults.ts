/**
 * SQL of fields that are derived from others when missing, by resource: `staged` is its model in staging.
 * A writable server stores them in its records; a published database computes them on read.
 */
export const DERIVED_DEFAULTS: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map<
  string,
  Record<string, string>
>([
  ['people', { people_type_id: 'staged.people_type_id' }],
  ['projects', { status: 'staged.status', tentative: 'staged.status = 1' }],
]);
