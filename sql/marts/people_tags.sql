-- One row per person and tag.
SELECT people_id, tag AS people_tag
FROM staging.people_tags
