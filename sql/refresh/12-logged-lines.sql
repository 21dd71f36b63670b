-- Refreshes core.ledger where kind = pl_line_kind('actual') from core.priced by people_id, logged_time_id after logged_time.
SELECT people_id, record_id AS logged_time_id
FROM named_people
WHERE resource = 'logged_time'
