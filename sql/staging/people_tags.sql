-- One row per person and tag.
SELECT DISTINCT people_id, tag
FROM source.people_tags
