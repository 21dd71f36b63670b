-- One row per status of a project, phase or allocation.
-- part: all
SELECT status, name
FROM (VALUES (0, 'draft'), (1, 'tentative'), (2, 'confirmed'), (3, 'completed'), (4, 'canceled')) AS statuses (status, name)
