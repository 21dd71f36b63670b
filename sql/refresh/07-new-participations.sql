-- Adds to core.participations from core.work by people_id, logged_time_id after logged_time.
-- What logged time no longer brings together is looked for when its lines have moved.
SELECT people_id, record_id AS logged_time_id
FROM named_people
WHERE resource = 'logged_time'
