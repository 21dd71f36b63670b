-- One row per person and tag.
-- A person with two tags has two rows, so a sum over lines joined with it counts their lines twice.
-- key: people_id, people_tag
-- refers: people_id people
-- part: people
SELECT people_id, tag AS people_tag
FROM staging.people_tags
