import { TIMES } from './field.ts';
import { defineResource } from './resource.ts';

/** The tags of people and projects with their counts. Read-only: they follow the records. */
export const tags = defineResource({
  name: 'tags',
  id: 'name',
  fields: {
    name: { type: 'key', required: true },
    count: { type: 'integer' },
    people_count: { type: 'integer' },
    project_count: { type: 'integer' },
    ...TIMES,
  },
  served: { methods: [] },
});
