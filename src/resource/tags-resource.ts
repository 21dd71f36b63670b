import { type Resource, TIMES } from './field.ts';

/** The tags of people and projects with their counts. Read-only: they follow the records. */
export const tags: Resource = {
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
};
