/**
 * SQL of fields that are derived from others when missing, by resource; staging does the same.
 * A writable server stores them in its records; a published database computes them on read.
 */
export const UNSAID: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ['people', { people_type_id: 'COALESCE(people_type_id, CASE WHEN contractor THEN 2 ELSE 1 END)' }],
  [
    'projects',
    {
      status: 'COALESCE(status, CASE WHEN tentative THEN 1 ELSE 2 END)',
      tentative: 'COALESCE(status = 1, tentative, FALSE)',
    },
  ],
]);
