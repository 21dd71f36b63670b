/**
 * SQL of the fields that follow from others where a record doesn't say them, by resource: staging reads them so, too.
 * A server that takes changes writes them into its records; a published database is read through them.
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
