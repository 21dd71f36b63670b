import { defineResource, TIMES } from '../../records/resource/index.ts';
import type { ServedResource } from './records.ts';

/** The tags of people and projects with their counts. Read-only: they follow the records. */
const tags = defineResource({
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

/** One row per tag: created with the first record that has it, modified with the last. */
const TAGS = `(
  WITH used AS (
    SELECT DISTINCT tag, people_id, CAST(NULL AS BIGINT) AS project_id, created, modified
    FROM source.people_tags JOIN source.people USING (people_id)
    UNION ALL
    SELECT DISTINCT tag, NULL, project_id, created, modified
    FROM source.project_tags JOIN source.projects USING (project_id)
  )
  SELECT
    tag AS name,
    count(*) AS count,
    count(people_id) AS people_count,
    count(project_id) AS project_count,
    min(created) AS created,
    max(modified) AS modified
  FROM used
  GROUP BY tag
) AS tags`;

export const tagResource: ServedResource = { ...tags, table: TAGS, isStored: false, rules: {} };
