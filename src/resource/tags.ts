import { type Resource, TIMES } from './field.ts';

/** The tags of people and projects, each with how many of them have it. Nobody writes them by themselves. */
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
