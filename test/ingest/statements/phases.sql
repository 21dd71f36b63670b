WITH record AS (
  SELECT *, from_json(json, '{"phase_id":"VARCHAR","project_id":"VARCHAR","name":"VARCHAR","start_date":"VARCHAR","end_date":"VARCHAR","status":"VARCHAR","non_billable":"VARCHAR","default_hourly_rate":"VARCHAR","budget_total":"VARCHAR","color":"VARCHAR","notes":"VARCHAR","tentative":"VARCHAR","active":"VARCHAR","dates_from":"VARCHAR","contract":"VARCHAR","recognise":"VARCHAR","fee_expenses":"VARCHAR","completed_on":"VARCHAR","created":"VARCHAR","modified":"VARCHAR","phase_team":"VARCHAR","bill_rate_history":"VARCHAR"}') AS raw
  FROM (
  FROM given
  )
), exact AS (
  SELECT *, CASE WHEN raw.default_hourly_rate IS NULL OR raw.default_hourly_rate = '' THEN NULL
    WHEN regexp_full_match(raw.default_hourly_rate, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.default_hourly_rate
    WHEN json_type(json, '$."default_hourly_rate"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.default_hourly_rate, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.default_hourly_rate END
    WHEN abs(TRY_CAST(raw.default_hourly_rate AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.default_hourly_rate AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.default_hourly_rate AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.default_hourly_rate AS DOUBLE))
    WHEN regexp_matches(raw.default_hourly_rate, '^-?[0-9]') THEN raw.default_hourly_rate -- a number beyond every range, such as 1e400
  END AS default_hourly_rate_text,
    CASE WHEN raw.budget_total IS NULL OR raw.budget_total = '' THEN NULL
    WHEN regexp_full_match(raw.budget_total, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.budget_total
    WHEN json_type(json, '$."budget_total"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.budget_total, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.budget_total END
    WHEN abs(TRY_CAST(raw.budget_total AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.budget_total AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.budget_total AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.budget_total AS DOUBLE))
    WHEN regexp_matches(raw.budget_total, '^-?[0-9]') THEN raw.budget_total -- a number beyond every range, such as 1e400
  END AS budget_total_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.phase_id AS BIGINT) AS VARCHAR) = raw.phase_id THEN TRY_CAST(raw.phase_id AS BIGINT)
      WHEN regexp_full_match(raw.phase_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.phase_id AS BIGINT) END, 0) AS phase_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.project_id AS BIGINT) AS VARCHAR) = raw.project_id THEN TRY_CAST(raw.project_id AS BIGINT)
      WHEN regexp_full_match(raw.project_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.project_id AS BIGINT) END, 0) AS project_id,
    CASE WHEN raw.name LIKE '{%' OR raw.name LIKE '[%' OR raw.name IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."name"') = 'VARCHAR' THEN raw.name END ELSE raw.name END AS name,
    CASE WHEN CAST(TRY_CAST(raw.start_date AS DATE) AS VARCHAR) = raw.start_date THEN TRY_CAST(raw.start_date AS DATE) END AS start_date,
    CASE WHEN CAST(TRY_CAST(raw.end_date AS DATE) AS VARCHAR) = raw.end_date THEN TRY_CAST(raw.end_date AS DATE) END AS end_date,
    CASE WHEN CAST(TRY_CAST(raw.status AS INTEGER) AS VARCHAR) = raw.status THEN TRY_CAST(raw.status AS INTEGER)
      WHEN regexp_full_match(raw.status, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.status AS INTEGER) END AS status,
    CASE WHEN raw.non_billable IN ('1', 'true') THEN TRUE WHEN raw.non_billable IN ('0', 'false') THEN FALSE
      WHEN lower(raw.non_billable) IN ('1.0', 'true') THEN TRUE WHEN lower(raw.non_billable) IN ('0.0', 'false') THEN FALSE END AS non_billable,
    TRY_CAST(default_hourly_rate_text AS DECIMAL(18,4)) AS default_hourly_rate,
    TRY_CAST(budget_total_text AS DECIMAL(18,4)) AS budget_total,
    CASE WHEN regexp_full_match(raw.color, '#?[0-9A-Fa-f]{6}') THEN right(raw.color, 6) END AS color,
    CASE WHEN raw.notes LIKE '{%' OR raw.notes LIKE '[%' OR raw.notes IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."notes"') = 'VARCHAR' THEN raw.notes END ELSE raw.notes END AS notes,
    CASE WHEN raw.tentative IN ('1', 'true') THEN TRUE WHEN raw.tentative IN ('0', 'false') THEN FALSE
      WHEN lower(raw.tentative) IN ('1.0', 'true') THEN TRUE WHEN lower(raw.tentative) IN ('0.0', 'false') THEN FALSE END AS tentative,
    CASE WHEN raw.active IN ('1', 'true') THEN TRUE WHEN raw.active IN ('0', 'false') THEN FALSE
      WHEN lower(raw.active) IN ('1.0', 'true') THEN TRUE WHEN lower(raw.active) IN ('0.0', 'false') THEN FALSE END AS active,
    NULLIF(lower(regexp_replace(CASE WHEN raw.dates_from LIKE '{%' OR raw.dates_from LIKE '[%' OR raw.dates_from IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."dates_from"') = 'VARCHAR' THEN raw.dates_from END ELSE raw.dates_from END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS dates_from,
    NULLIF(lower(regexp_replace(CASE WHEN raw.contract LIKE '{%' OR raw.contract LIKE '[%' OR raw.contract IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."contract"') = 'VARCHAR' THEN raw.contract END ELSE raw.contract END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS contract,
    NULLIF(lower(regexp_replace(CASE WHEN raw.recognise LIKE '{%' OR raw.recognise LIKE '[%' OR raw.recognise IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."recognise"') = 'VARCHAR' THEN raw.recognise END ELSE raw.recognise END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS recognise,
    NULLIF(lower(regexp_replace(CASE WHEN raw.fee_expenses LIKE '{%' OR raw.fee_expenses LIKE '[%' OR raw.fee_expenses IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."fee_expenses"') = 'VARCHAR' THEN raw.fee_expenses END ELSE raw.fee_expenses END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS fee_expenses,
    CASE WHEN CAST(TRY_CAST(raw.completed_on AS DATE) AS VARCHAR) = raw.completed_on THEN TRY_CAST(raw.completed_on AS DATE) END AS completed_on,
    CASE WHEN CAST(TRY_CAST(raw.created AS TIMESTAMP) AS VARCHAR) = raw.created AND raw.created LIKE '____-__-__ __:%' THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.created, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS created,
    CASE WHEN CAST(TRY_CAST(raw.modified AS TIMESTAMP) AS VARCHAR) = raw.modified AND raw.modified LIKE '____-__-__ __:%' THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.modified, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS modified,
    CAST(CASE WHEN length(default_hourly_rate_text) > 5 THEN CASE WHEN regexp_matches(default_hourly_rate_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END + CASE WHEN length(budget_total_text) > 5 THEN CASE WHEN regexp_matches(budget_total_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('phase_id', 'project_id', 'name', 'start_date', 'end_date', 'status', 'non_billable', 'default_hourly_rate', 'budget_total', 'color', 'notes', 'tentative', 'active', 'dates_from', 'contract', 'recognise', 'fee_expenses', 'completed_on', 'created', 'modified', 'phase_team', 'bill_rate_history'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR phase_id IS NULL
      OR project_id IS NULL
      OR (name IS NULL AND raw.name <> '')
      OR (start_date IS NULL AND raw.start_date <> '')
      OR (end_date IS NULL AND raw.end_date <> '')
      OR (status IS NULL AND raw.status <> '')
      OR (non_billable IS NULL AND raw.non_billable <> '')
      OR (default_hourly_rate IS NULL AND raw.default_hourly_rate <> '')
      OR (budget_total IS NULL AND raw.budget_total <> '')
      OR (notes IS NULL AND raw.notes <> '')
      OR (tentative IS NULL AND raw.tentative <> '')
      OR (active IS NULL AND raw.active <> '')
      OR (dates_from IS NULL AND raw.dates_from <> '')
      OR (contract IS NULL AND raw.contract <> '')
      OR (recognise IS NULL AND raw.recognise <> '')
      OR (fee_expenses IS NULL AND raw.fee_expenses <> '')
      OR (completed_on IS NULL AND raw.completed_on <> '')
      OR (created IS NULL AND raw.created <> '')
      OR (modified IS NULL AND raw.modified <> '')
      OR (phase_id < 0)
      OR (project_id < 0)
      OR (contains(name, chr(0)))
      OR (start_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (end_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (NOT list_contains([0, 1, 2, 3, 4], status))
      OR (default_hourly_rate < 0)
      OR (default_hourly_rate >= 1000000000000)
      OR (budget_total < 0)
      OR (budget_total >= 100000000000)
      OR (contains(notes, chr(0)))
      OR (NOT list_contains(['set', 'computed', 'start_set', 'end_set', 'unknown'], dates_from))
      OR (NOT list_contains(['time', 'capped', 'fixed', 'internal'], contract))
      OR (NOT list_contains(['progress', 'evenly', 'done', 'milestones'], recognise))
      OR (NOT list_contains(['inside', 'on_top'], fee_expenses))
      OR (completed_on NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (raw.phase_team <> '' AND NOT (raw.phase_team[1] = '[' AND json_valid(raw.phase_team)))
      OR (raw.bill_rate_history <> '' AND NOT (raw.bill_rate_history[1] = '[' AND json_valid(raw.bill_rate_history)))
      OR (end_date < start_date)
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.phase_id IS NULL OR regexp_full_match(raw.phase_id, '(0+([.]0*)?)?') THEN 'phase_id: missing'
          WHEN phase_id IS NULL THEN 'phase_id: not an id'
          WHEN phase_id < 0 THEN 'phase_id: not an id' END,
        CASE WHEN raw.project_id IS NULL OR regexp_full_match(raw.project_id, '(0+([.]0*)?)?') THEN 'project_id: missing'
          WHEN project_id IS NULL THEN 'project_id: not an id'
          WHEN project_id < 0 THEN 'project_id: not an id' END,
        CASE WHEN raw.name IS NULL OR raw.name = '' THEN NULL
          WHEN name IS NULL THEN 'name: not a text'
          WHEN contains(name, chr(0)) THEN 'name: it contains the character U+0000' END,
        CASE WHEN raw.start_date IS NULL OR raw.start_date = '' THEN NULL
          WHEN start_date IS NULL THEN 'start_date: not a day written YYYY-MM-DD'
          WHEN start_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'start_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.end_date IS NULL OR raw.end_date = '' THEN NULL
          WHEN end_date IS NULL THEN 'end_date: not a day written YYYY-MM-DD'
          WHEN end_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'end_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.status IS NULL OR raw.status = '' THEN NULL
          WHEN status IS NULL THEN 'status: not one of 0, 1, 2, 3, 4'
          WHEN NOT list_contains([0, 1, 2, 3, 4], status) THEN 'status: not one of 0, 1, 2, 3, 4' END,
        CASE WHEN raw.non_billable IS NULL OR raw.non_billable = '' THEN NULL
          WHEN non_billable IS NULL THEN 'non_billable: not true or false'
           END,
        CASE WHEN raw.default_hourly_rate IS NULL OR raw.default_hourly_rate = '' THEN NULL
          WHEN default_hourly_rate IS NULL THEN CASE WHEN default_hourly_rate_text IS NULL THEN 'default_hourly_rate: not a number' ELSE CASE WHEN default_hourly_rate_text LIKE '-%' THEN 'default_hourly_rate: below 0' ELSE 'default_hourly_rate: not below 1000000000000' END END
          WHEN default_hourly_rate < 0 THEN 'default_hourly_rate: below 0' WHEN default_hourly_rate >= 1000000000000 THEN 'default_hourly_rate: not below 1000000000000' END,
        CASE WHEN raw.budget_total IS NULL OR raw.budget_total = '' THEN NULL
          WHEN budget_total IS NULL THEN CASE WHEN budget_total_text IS NULL THEN 'budget_total: not a number' ELSE CASE WHEN budget_total_text LIKE '-%' THEN 'budget_total: below 0' ELSE 'budget_total: not below 100000000000' END END
          WHEN budget_total < 0 THEN 'budget_total: below 0' WHEN budget_total >= 100000000000 THEN 'budget_total: not below 100000000000' END,
        CASE WHEN raw.notes IS NULL OR raw.notes = '' THEN NULL
          WHEN notes IS NULL THEN 'notes: not a text'
          WHEN contains(notes, chr(0)) THEN 'notes: it contains the character U+0000' END,
        CASE WHEN raw.tentative IS NULL OR raw.tentative = '' THEN NULL
          WHEN tentative IS NULL THEN 'tentative: not true or false'
           END,
        CASE WHEN raw.active IS NULL OR raw.active = '' THEN NULL
          WHEN active IS NULL THEN 'active: not true or false'
           END,
        CASE WHEN raw.dates_from IS NULL OR regexp_replace(raw.dates_from, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN NULL
          WHEN dates_from IS NULL THEN 'dates_from: not a text'
          WHEN NOT list_contains(['set', 'computed', 'start_set', 'end_set', 'unknown'], dates_from) THEN 'dates_from: not one of set, computed, start_set, end_set, unknown' END,
        CASE WHEN raw.contract IS NULL OR regexp_replace(raw.contract, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN NULL
          WHEN contract IS NULL THEN 'contract: not a text'
          WHEN NOT list_contains(['time', 'capped', 'fixed', 'internal'], contract) THEN 'contract: not one of time, capped, fixed, internal' END,
        CASE WHEN raw.recognise IS NULL OR regexp_replace(raw.recognise, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN NULL
          WHEN recognise IS NULL THEN 'recognise: not a text'
          WHEN NOT list_contains(['progress', 'evenly', 'done', 'milestones'], recognise) THEN 'recognise: not one of progress, evenly, done, milestones' END,
        CASE WHEN raw.fee_expenses IS NULL OR regexp_replace(raw.fee_expenses, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN NULL
          WHEN fee_expenses IS NULL THEN 'fee_expenses: not a text'
          WHEN NOT list_contains(['inside', 'on_top'], fee_expenses) THEN 'fee_expenses: not one of inside, on_top' END,
        CASE WHEN raw.completed_on IS NULL OR raw.completed_on = '' THEN NULL
          WHEN completed_on IS NULL THEN 'completed_on: not a day written YYYY-MM-DD'
          WHEN completed_on NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'completed_on: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.created IS NULL OR raw.created = '' THEN NULL
          WHEN created IS NULL THEN 'created: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.modified IS NULL OR raw.modified = '' THEN NULL
          WHEN modified IS NULL THEN 'modified: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.phase_team <> '' AND NOT (CASE WHEN raw.phase_team[1] = '[' THEN CASE WHEN json_valid(raw.phase_team) THEN from_json(raw.phase_team, '["JSON"]') END
    WHEN raw.phase_team[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.phase_team, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END IS NOT NULL) THEN 'phase_team: not a list' END,
        CASE WHEN raw.bill_rate_history <> '' AND NOT (CASE WHEN raw.bill_rate_history[1] = '[' THEN CASE WHEN json_valid(raw.bill_rate_history) THEN from_json(raw.bill_rate_history, '["JSON"]') END
    WHEN raw.bill_rate_history[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.bill_rate_history, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END IS NOT NULL) THEN 'bill_rate_history: not a list' END,
        CASE WHEN end_date < start_date THEN 'end_date is before start_date' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, CASE WHEN (color IS NULL AND raw.color <> '') THEN list_filter([CASE WHEN (color IS NULL AND raw.color <> '') THEN {'field': 'color', 'reason': 'color: not six hexadecimal digits', 'text': raw.color} END], lambda v: v IS NOT NULL) END AS left_out
  FROM value
)
SELECT phase_id, project_id, name, start_date, end_date, status, non_billable, default_hourly_rate, budget_total, color, notes, tentative, active, dates_from, contract, recognise, fee_expenses, completed_on, COALESCE(created, TIMESTAMP '2026-01-01 00:00:00') AS created, COALESCE(modified, TIMESTAMP '2026-01-01 00:00:00') AS modified, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    , 'lists': {'phase_team': NULLIF(raw.phase_team, ''), 'bill_rate_history': NULLIF(raw.bill_rate_history, '')}
  } AS origin
FROM validated;

WITH list AS (
  SELECT phase_id, origin.file AS file, rowid AS container_row, CASE WHEN origin.lists.phase_team[1] = '[' THEN CASE WHEN json_valid(origin.lists.phase_team) THEN from_json(origin.lists.phase_team, '["JSON"]') END
    WHEN origin.lists.phase_team[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(origin.lists.phase_team, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END AS items
  FROM source.phases
  WHERE origin.lists.phase_team IS NOT NULL
), item AS (
  SELECT phase_id, file, container_row, unnest(range(1, len(items) + 1)) AS position, unnest(items) AS json
  FROM list
), record AS (
  SELECT * REPLACE (COALESCE(json, 'null') AS json), CAST(NULL AS VARCHAR) AS problem, from_json(json, '{"people_id":"VARCHAR","role_id":"VARCHAR","hourly_rate":"VARCHAR","rates":"VARCHAR"}') AS raw
  FROM item
), exact AS (
  SELECT *, CASE WHEN raw.hourly_rate IS NULL OR raw.hourly_rate = '' THEN NULL
    WHEN regexp_full_match(raw.hourly_rate, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.hourly_rate
    WHEN json_type(json, '$."hourly_rate"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.hourly_rate, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.hourly_rate END
    WHEN abs(TRY_CAST(raw.hourly_rate AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.hourly_rate AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.hourly_rate AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.hourly_rate AS DOUBLE))
    WHEN regexp_matches(raw.hourly_rate, '^-?[0-9]') THEN raw.hourly_rate -- a number beyond every range, such as 1e400
  END AS hourly_rate_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.people_id AS BIGINT) AS VARCHAR) = raw.people_id THEN TRY_CAST(raw.people_id AS BIGINT)
      WHEN regexp_full_match(raw.people_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.people_id AS BIGINT) END, 0) AS people_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.role_id AS BIGINT) AS VARCHAR) = raw.role_id THEN TRY_CAST(raw.role_id AS BIGINT)
      WHEN regexp_full_match(raw.role_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.role_id AS BIGINT) END, 0) AS role_id,
    TRY_CAST(hourly_rate_text AS DECIMAL(18,4)) AS hourly_rate,
    CAST(CASE WHEN length(hourly_rate_text) > 5 THEN CASE WHEN regexp_matches(hourly_rate_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('people_id', 'role_id', 'hourly_rate', 'rates'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR json_type(json) IS DISTINCT FROM 'OBJECT'
      OR (people_id IS NULL AND raw.people_id NOT IN ('', '0'))
      OR (role_id IS NULL AND raw.role_id NOT IN ('', '0'))
      OR (hourly_rate IS NULL AND raw.hourly_rate <> '')
      OR (people_id < 0)
      OR (role_id < 0)
      OR (hourly_rate < 0)
      OR (hourly_rate >= 1000000000000)
      OR (raw.rates <> '' AND NOT (raw.rates[1] = '[' AND json_valid(raw.rates)))
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.people_id IS NULL OR regexp_full_match(raw.people_id, '(0+([.]0*)?)?') THEN NULL
          WHEN people_id IS NULL THEN 'people_id: not an id'
          WHEN people_id < 0 THEN 'people_id: not an id' END,
        CASE WHEN raw.role_id IS NULL OR regexp_full_match(raw.role_id, '(0+([.]0*)?)?') THEN NULL
          WHEN role_id IS NULL THEN 'role_id: not an id'
          WHEN role_id < 0 THEN 'role_id: not an id' END,
        CASE WHEN raw.hourly_rate IS NULL OR raw.hourly_rate = '' THEN NULL
          WHEN hourly_rate IS NULL THEN CASE WHEN hourly_rate_text IS NULL THEN 'hourly_rate: not a number' ELSE CASE WHEN hourly_rate_text LIKE '-%' THEN 'hourly_rate: below 0' ELSE 'hourly_rate: not below 1000000000000' END END
          WHEN hourly_rate < 0 THEN 'hourly_rate: below 0' WHEN hourly_rate >= 1000000000000 THEN 'hourly_rate: not below 1000000000000' END,
        CASE WHEN raw.rates <> '' AND NOT (CASE WHEN raw.rates[1] = '[' THEN CASE WHEN json_valid(raw.rates) THEN from_json(raw.rates, '["JSON"]') END
    WHEN raw.rates[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.rates, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END IS NOT NULL) THEN 'rates: not a list' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT phase_id, CAST(position AS INTEGER) AS position, people_id, role_id, hourly_rate, {
    'file': file, 'container_row': container_row, 'rounded': rounded, 'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CAST(json AS VARCHAR) END, 'left_out': left_out}) AS VARCHAR) END
  } AS origin
FROM validated;

WITH list AS (
  SELECT phase_id, origin.file AS file, rowid AS container_row, CASE WHEN origin.lists.phase_team[1] = '[' THEN CASE WHEN json_valid(origin.lists.phase_team) THEN from_json(origin.lists.phase_team, '["JSON"]') END
    WHEN origin.lists.phase_team[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(origin.lists.phase_team, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END AS items
  FROM source.phases
  WHERE origin.lists.phase_team IS NOT NULL
), outer_item AS (
  SELECT phase_id, file, container_row, unnest(range(1, len(items) + 1)) AS position, unnest(items) AS json
  FROM list
), holder AS (
  SELECT *, CASE WHEN json_extract_string(json, '$.rates')[1] = '[' THEN CASE WHEN json_valid(json_extract_string(json, '$.rates')) THEN from_json(json_extract_string(json, '$.rates'), '["JSON"]') END
    WHEN json_extract_string(json, '$.rates')[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(json_extract_string(json, '$.rates'), ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END AS items
  FROM outer_item
  WHERE json_type(json) = 'OBJECT' AND (phase_id, position) IN (SELECT (phase_id, position) FROM source.phase_team)
  QUALIFY ROW_NUMBER() OVER (PARTITION BY container_row, CASE WHEN NOT regexp_full_match(json_extract_string(json, '$.people_id'), '(0+([.]0*)?)?') THEN COALESCE(CAST(CASE WHEN CAST(TRY_CAST(json_extract_string(json, '$.people_id') AS BIGINT) AS VARCHAR) = json_extract_string(json, '$.people_id') THEN TRY_CAST(json_extract_string(json, '$.people_id') AS BIGINT)
      WHEN regexp_full_match(json_extract_string(json, '$.people_id'), '-?[0-9]+([.]0*)?') THEN TRY_CAST(json_extract_string(json, '$.people_id') AS BIGINT) END AS VARCHAR), json_extract_string(json, '$.people_id')) END ORDER BY position DESC) = 1
), inner_item AS (
  SELECT phase_id, file, container_row, position AS place, unnest(range(1, len(items) + 1)) AS inner_place,
    json_object('people_id', json_extract_string(json, '$.people_id')) AS holder_keys, unnest(items) AS json
  FROM holder
), item AS (
  SELECT phase_id, file, container_row, ROW_NUMBER() OVER (PARTITION BY container_row ORDER BY place, inner_place) AS position,
    CASE WHEN json_type(json) = 'OBJECT' THEN json_merge_patch(json, holder_keys) ELSE json END AS json
  FROM inner_item
), record AS (
  SELECT * REPLACE (COALESCE(json, 'null') AS json), CAST(NULL AS VARCHAR) AS problem, from_json(json, '{"people_id":"VARCHAR","rate":"VARCHAR","effective_date":"VARCHAR"}') AS raw
  FROM item
), exact AS (
  SELECT *, CASE WHEN raw.rate IS NULL OR raw.rate = '' THEN NULL
    WHEN regexp_full_match(raw.rate, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.rate
    WHEN json_type(json, '$."rate"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.rate, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.rate END
    WHEN abs(TRY_CAST(raw.rate AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.rate AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.rate AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.rate AS DOUBLE))
    WHEN regexp_matches(raw.rate, '^-?[0-9]') THEN raw.rate -- a number beyond every range, such as 1e400
  END AS rate_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.people_id AS BIGINT) AS VARCHAR) = raw.people_id THEN TRY_CAST(raw.people_id AS BIGINT)
      WHEN regexp_full_match(raw.people_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.people_id AS BIGINT) END, 0) AS people_id,
    TRY_CAST(rate_text AS DECIMAL(18,4)) AS rate,
    CASE WHEN CAST(TRY_CAST(raw.effective_date AS DATE) AS VARCHAR) = raw.effective_date THEN TRY_CAST(raw.effective_date AS DATE) END AS effective_date,
    CAST(CASE WHEN length(rate_text) > 5 THEN CASE WHEN regexp_matches(rate_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('people_id', 'rate', 'effective_date'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR (people_id IS NULL AND raw.people_id NOT IN ('', '0'))
      OR (rate IS NULL AND raw.rate <> '')
      OR effective_date IS NULL
      OR (people_id < 0)
      OR (rate < 0)
      OR (rate >= 1000000000000)
      OR (effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.people_id IS NULL OR regexp_full_match(raw.people_id, '(0+([.]0*)?)?') THEN NULL
          WHEN people_id IS NULL THEN 'people_id: not an id'
          WHEN people_id < 0 THEN 'people_id: not an id' END,
        CASE WHEN raw.rate IS NULL OR raw.rate = '' THEN NULL
          WHEN rate IS NULL THEN CASE WHEN rate_text IS NULL THEN 'rate: not a number' ELSE CASE WHEN rate_text LIKE '-%' THEN 'rate: below 0' ELSE 'rate: not below 1000000000000' END END
          WHEN rate < 0 THEN 'rate: below 0' WHEN rate >= 1000000000000 THEN 'rate: not below 1000000000000' END,
        CASE WHEN raw.effective_date IS NULL OR raw.effective_date = '' THEN 'effective_date: missing'
          WHEN effective_date IS NULL THEN 'effective_date: not a day written YYYY-MM-DD'
          WHEN effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'effective_date: outside 1970-01-01 to 2099-12-31' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT phase_id, CAST(position AS INTEGER) AS position, people_id, rate, effective_date, {
    'file': file, 'container_row': container_row, 'rounded': rounded, 'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CAST(json AS VARCHAR) END, 'left_out': left_out}) AS VARCHAR) END
  } AS origin
FROM validated;

WITH list AS (
  SELECT phase_id, origin.file AS file, rowid AS container_row, CASE WHEN origin.lists.bill_rate_history[1] = '[' THEN CASE WHEN json_valid(origin.lists.bill_rate_history) THEN from_json(origin.lists.bill_rate_history, '["JSON"]') END
    WHEN origin.lists.bill_rate_history[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(origin.lists.bill_rate_history, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END AS items
  FROM source.phases
  WHERE origin.lists.bill_rate_history IS NOT NULL
), item AS (
  SELECT phase_id, file, container_row, unnest(range(1, len(items) + 1)) AS position, unnest(items) AS json
  FROM list
), record AS (
  SELECT * REPLACE (COALESCE(json, 'null') AS json), CAST(NULL AS VARCHAR) AS problem, from_json(json, '{"rate":"VARCHAR","effective_date":"VARCHAR"}') AS raw
  FROM item
), exact AS (
  SELECT *, CASE WHEN raw.rate IS NULL OR raw.rate = '' THEN NULL
    WHEN regexp_full_match(raw.rate, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.rate
    WHEN json_type(json, '$."rate"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.rate, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.rate END
    WHEN abs(TRY_CAST(raw.rate AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.rate AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.rate AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.rate AS DOUBLE))
    WHEN regexp_matches(raw.rate, '^-?[0-9]') THEN raw.rate -- a number beyond every range, such as 1e400
  END AS rate_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    TRY_CAST(rate_text AS DECIMAL(18,4)) AS rate,
    CASE WHEN CAST(TRY_CAST(raw.effective_date AS DATE) AS VARCHAR) = raw.effective_date THEN TRY_CAST(raw.effective_date AS DATE) END AS effective_date,
    CAST(CASE WHEN length(rate_text) > 5 THEN CASE WHEN regexp_matches(rate_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('rate', 'effective_date'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR (rate IS NULL AND raw.rate <> '')
      OR effective_date IS NULL
      OR (rate < 0)
      OR (rate >= 1000000000000)
      OR (effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.rate IS NULL OR raw.rate = '' THEN NULL
          WHEN rate IS NULL THEN CASE WHEN rate_text IS NULL THEN 'rate: not a number' ELSE CASE WHEN rate_text LIKE '-%' THEN 'rate: below 0' ELSE 'rate: not below 1000000000000' END END
          WHEN rate < 0 THEN 'rate: below 0' WHEN rate >= 1000000000000 THEN 'rate: not below 1000000000000' END,
        CASE WHEN raw.effective_date IS NULL OR raw.effective_date = '' THEN 'effective_date: missing'
          WHEN effective_date IS NULL THEN 'effective_date: not a day written YYYY-MM-DD'
          WHEN effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'effective_date: outside 1970-01-01 to 2099-12-31' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT phase_id, CAST(position AS INTEGER) AS position, rate, effective_date, {
    'file': file, 'container_row': container_row, 'rounded': rounded, 'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CAST(json AS VARCHAR) END, 'left_out': left_out}) AS VARCHAR) END
  } AS origin
FROM validated;
