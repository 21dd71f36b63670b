WITH record AS (
  SELECT *, from_json(json, '{"task_id":"VARCHAR","project_id":"VARCHAR","phase_id":"VARCHAR","people_id":"VARCHAR","start_date":"VARCHAR","end_date":"VARCHAR","hours":"VARCHAR","name":"VARCHAR","repeat_state":"VARCHAR","repeat_end_date":"VARCHAR","status":"VARCHAR","billable":"VARCHAR","task_meta_id":"VARCHAR","notes":"VARCHAR","priority":"VARCHAR","start_time":"VARCHAR","root_task_id":"VARCHAR","created_by":"VARCHAR","modified_by":"VARCHAR","created":"VARCHAR","modified":"VARCHAR","people_ids":"VARCHAR"}') AS raw
  FROM (
  FROM given
  )
), exact AS (
  SELECT *, CASE WHEN raw.hours IS NULL OR raw.hours = '' THEN NULL
    WHEN regexp_full_match(raw.hours, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.hours
    WHEN json_type(json, '$."hours"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.hours, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.hours END
    WHEN abs(TRY_CAST(raw.hours AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.hours AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.hours AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.hours AS DOUBLE))
    WHEN regexp_matches(raw.hours, '^-?[0-9]') THEN raw.hours -- a number beyond every range, such as 1e400
  END AS hours_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.task_id AS BIGINT) AS VARCHAR) = raw.task_id THEN TRY_CAST(raw.task_id AS BIGINT)
      WHEN regexp_full_match(raw.task_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.task_id AS BIGINT) END, 0) AS task_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.project_id AS BIGINT) AS VARCHAR) = raw.project_id THEN TRY_CAST(raw.project_id AS BIGINT)
      WHEN regexp_full_match(raw.project_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.project_id AS BIGINT) END, 0) AS project_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.phase_id AS BIGINT) AS VARCHAR) = raw.phase_id THEN TRY_CAST(raw.phase_id AS BIGINT)
      WHEN regexp_full_match(raw.phase_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.phase_id AS BIGINT) END, 0) AS phase_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.people_id AS BIGINT) AS VARCHAR) = raw.people_id THEN TRY_CAST(raw.people_id AS BIGINT)
      WHEN regexp_full_match(raw.people_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.people_id AS BIGINT) END, 0) AS people_id,
    CASE WHEN CAST(TRY_CAST(raw.start_date AS DATE) AS VARCHAR) = raw.start_date THEN TRY_CAST(raw.start_date AS DATE) END AS start_date,
    CASE WHEN CAST(TRY_CAST(raw.end_date AS DATE) AS VARCHAR) = raw.end_date THEN TRY_CAST(raw.end_date AS DATE) END AS end_date,
    TRY_CAST(hours_text AS DECIMAL(10,6)) AS hours,
    CASE WHEN raw.name LIKE '{%' OR raw.name LIKE '[%' OR raw.name IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."name"') = 'VARCHAR' THEN raw.name END ELSE raw.name END AS name,
    CASE WHEN CAST(TRY_CAST(raw.repeat_state AS INTEGER) AS VARCHAR) = raw.repeat_state THEN TRY_CAST(raw.repeat_state AS INTEGER)
      WHEN regexp_full_match(raw.repeat_state, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.repeat_state AS INTEGER) END AS repeat_state,
    CASE WHEN CAST(TRY_CAST(raw.repeat_end_date AS DATE) AS VARCHAR) = raw.repeat_end_date THEN TRY_CAST(raw.repeat_end_date AS DATE) END AS repeat_end_date,
    CASE WHEN CAST(TRY_CAST(raw.status AS INTEGER) AS VARCHAR) = raw.status THEN TRY_CAST(raw.status AS INTEGER)
      WHEN regexp_full_match(raw.status, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.status AS INTEGER) END AS status,
    CASE WHEN raw.billable IN ('1', 'true') THEN TRUE WHEN raw.billable IN ('0', 'false') THEN FALSE
      WHEN lower(raw.billable) IN ('1.0', 'true') THEN TRUE WHEN lower(raw.billable) IN ('0.0', 'false') THEN FALSE END AS billable,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.task_meta_id AS BIGINT) AS VARCHAR) = raw.task_meta_id THEN TRY_CAST(raw.task_meta_id AS BIGINT)
      WHEN regexp_full_match(raw.task_meta_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.task_meta_id AS BIGINT) END, 0) AS task_meta_id,
    CASE WHEN raw.notes LIKE '{%' OR raw.notes LIKE '[%' OR raw.notes IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."notes"') = 'VARCHAR' THEN raw.notes END ELSE raw.notes END AS notes,
    COALESCE(CASE WHEN CAST(TRY_CAST(raw.priority AS INTEGER) AS VARCHAR) = raw.priority THEN TRY_CAST(raw.priority AS INTEGER)
      WHEN regexp_full_match(raw.priority, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.priority AS INTEGER) END, CASE lower(raw.priority) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END) AS priority,
    NULLIF(CASE WHEN raw.start_time LIKE '{%' OR raw.start_time LIKE '[%' OR raw.start_time IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."start_time"') = 'VARCHAR' THEN raw.start_time END ELSE raw.start_time END, '') AS start_time,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.root_task_id AS BIGINT) AS VARCHAR) = raw.root_task_id THEN TRY_CAST(raw.root_task_id AS BIGINT)
      WHEN regexp_full_match(raw.root_task_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.root_task_id AS BIGINT) END, 0) AS root_task_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.created_by AS BIGINT) AS VARCHAR) = raw.created_by THEN TRY_CAST(raw.created_by AS BIGINT)
      WHEN regexp_full_match(raw.created_by, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.created_by AS BIGINT) END, 0) AS created_by,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.modified_by AS BIGINT) AS VARCHAR) = raw.modified_by THEN TRY_CAST(raw.modified_by AS BIGINT)
      WHEN regexp_full_match(raw.modified_by, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.modified_by AS BIGINT) END, 0) AS modified_by,
    CASE WHEN CAST(TRY_CAST(raw.created AS TIMESTAMP) AS VARCHAR) = raw.created AND raw.created LIKE '____-__-__ __:%' THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.created, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS created,
    CASE WHEN CAST(TRY_CAST(raw.modified AS TIMESTAMP) AS VARCHAR) = raw.modified AND raw.modified LIKE '____-__-__ __:%' THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.modified, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS modified,
    CASE WHEN raw.people_ids IS NULL THEN FALSE
    WHEN regexp_full_match(raw.people_ids, '[[]([0-9]+,)*[1-9][0-9]{0,17}(,[0-9]+)*[]]') THEN TRUE
    ELSE COALESCE(len(list_filter(CASE WHEN raw.people_ids[1] = '[' THEN CASE WHEN json_valid(raw.people_ids) THEN from_json(raw.people_ids, '["JSON"]') END
    WHEN raw.people_ids[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.people_ids, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END, lambda i: NULLIF(CASE WHEN CAST(TRY_CAST(json_extract_string(i, '$') AS BIGINT) AS VARCHAR) = json_extract_string(i, '$') THEN TRY_CAST(json_extract_string(i, '$') AS BIGINT)
      WHEN regexp_full_match(json_extract_string(i, '$'), '-?[0-9]+([.]0*)?') THEN TRY_CAST(json_extract_string(i, '$') AS BIGINT) END, 0) IS NOT NULL AND NOT (NULLIF(CASE WHEN CAST(TRY_CAST(json_extract_string(i, '$') AS BIGINT) AS VARCHAR) = json_extract_string(i, '$') THEN TRY_CAST(json_extract_string(i, '$') AS BIGINT)
      WHEN regexp_full_match(json_extract_string(i, '$'), '-?[0-9]+([.]0*)?') THEN TRY_CAST(json_extract_string(i, '$') AS BIGINT) END, 0) < 0))) > 0, FALSE)
  END AS has_people_ids,
    CAST(CASE WHEN length(hours_text) > 7 THEN CASE WHEN regexp_matches(hours_text, '[.][0-9]{6}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('task_id', 'project_id', 'phase_id', 'people_id', 'start_date', 'end_date', 'hours', 'name', 'repeat_state', 'repeat_end_date', 'status', 'billable', 'task_meta_id', 'notes', 'priority', 'start_time', 'root_task_id', 'created_by', 'modified_by', 'created', 'modified', 'people_ids'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR task_id IS NULL
      OR project_id IS NULL
      OR (phase_id IS NULL AND raw.phase_id NOT IN ('', '0'))
      OR (people_id IS NULL AND raw.people_id NOT IN ('', '0'))
      OR start_date IS NULL
      OR end_date IS NULL
      OR hours IS NULL
      OR (name IS NULL AND raw.name <> '')
      OR (repeat_state IS NULL AND raw.repeat_state <> '')
      OR (repeat_end_date IS NULL AND raw.repeat_end_date <> '')
      OR (status IS NULL AND raw.status <> '')
      OR (billable IS NULL AND raw.billable <> '')
      OR (task_meta_id IS NULL AND raw.task_meta_id NOT IN ('', '0'))
      OR (notes IS NULL AND raw.notes <> '')
      OR (priority IS NULL AND raw.priority <> '')
      OR (start_time IS NULL AND raw.start_time <> '')
      OR (root_task_id IS NULL AND raw.root_task_id NOT IN ('', '0'))
      OR (created_by IS NULL AND raw.created_by NOT IN ('', '0'))
      OR (modified_by IS NULL AND raw.modified_by NOT IN ('', '0'))
      OR (created IS NULL AND raw.created <> '')
      OR (modified IS NULL AND raw.modified <> '')
      OR (task_id < 0)
      OR (project_id < 0)
      OR (phase_id < 0)
      OR (people_id < 0)
      OR (start_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (end_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (hours NOT BETWEEN 0 AND 24)
      OR (contains(name, chr(0)))
      OR (NOT list_contains([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], repeat_state))
      OR (repeat_end_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (NOT list_contains([0, 1, 2, 3, 4], status))
      OR (task_meta_id < 0)
      OR (contains(notes, chr(0)))
      OR (contains(start_time, chr(0)))
      OR (root_task_id < 0)
      OR (created_by < 0)
      OR (modified_by < 0)
      OR (raw.people_ids <> '' AND NOT (raw.people_ids[1] = '[' AND json_valid(raw.people_ids)))
      OR (end_date < start_date)
      OR (repeat_end_date < start_date)
      OR (people_id IS NULL AND NOT has_people_ids)
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.task_id IS NULL OR regexp_full_match(raw.task_id, '(0+([.]0*)?)?') THEN 'task_id: missing'
          WHEN task_id IS NULL THEN 'task_id: not an id'
          WHEN task_id < 0 THEN 'task_id: not an id' END,
        CASE WHEN raw.project_id IS NULL OR regexp_full_match(raw.project_id, '(0+([.]0*)?)?') THEN 'project_id: missing'
          WHEN project_id IS NULL THEN 'project_id: not an id'
          WHEN project_id < 0 THEN 'project_id: not an id' END,
        CASE WHEN raw.phase_id IS NULL OR regexp_full_match(raw.phase_id, '(0+([.]0*)?)?') THEN NULL
          WHEN phase_id IS NULL THEN 'phase_id: not an id'
          WHEN phase_id < 0 THEN 'phase_id: not an id' END,
        CASE WHEN raw.people_id IS NULL OR regexp_full_match(raw.people_id, '(0+([.]0*)?)?') THEN NULL
          WHEN people_id IS NULL THEN 'people_id: not an id'
          WHEN people_id < 0 THEN 'people_id: not an id' END,
        CASE WHEN raw.start_date IS NULL OR raw.start_date = '' THEN 'start_date: missing'
          WHEN start_date IS NULL THEN 'start_date: not a day written YYYY-MM-DD'
          WHEN start_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'start_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.end_date IS NULL OR raw.end_date = '' THEN 'end_date: missing'
          WHEN end_date IS NULL THEN 'end_date: not a day written YYYY-MM-DD'
          WHEN end_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'end_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.hours IS NULL OR raw.hours = '' THEN 'hours: missing'
          WHEN hours IS NULL THEN CASE WHEN hours_text IS NULL THEN 'hours: not a number' ELSE 'hours: outside 0 to 24' END
          WHEN hours NOT BETWEEN 0 AND 24 THEN 'hours: outside 0 to 24' END,
        CASE WHEN raw.name IS NULL OR raw.name = '' THEN NULL
          WHEN name IS NULL THEN 'name: not a text'
          WHEN contains(name, chr(0)) THEN 'name: it contains the character U+0000' END,
        CASE WHEN raw.repeat_state IS NULL OR raw.repeat_state = '' THEN NULL
          WHEN repeat_state IS NULL THEN 'repeat_state: not one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9'
          WHEN NOT list_contains([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], repeat_state) THEN 'repeat_state: not one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9' END,
        CASE WHEN raw.repeat_end_date IS NULL OR raw.repeat_end_date = '' THEN NULL
          WHEN repeat_end_date IS NULL THEN 'repeat_end_date: not a day written YYYY-MM-DD'
          WHEN repeat_end_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'repeat_end_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.status IS NULL OR raw.status = '' THEN NULL
          WHEN status IS NULL THEN 'status: not one of 0, 1, 2, 3, 4'
          WHEN NOT list_contains([0, 1, 2, 3, 4], status) THEN 'status: not one of 0, 1, 2, 3, 4' END,
        CASE WHEN raw.billable IS NULL OR raw.billable = '' THEN NULL
          WHEN billable IS NULL THEN 'billable: not true or false'
           END,
        CASE WHEN raw.task_meta_id IS NULL OR regexp_full_match(raw.task_meta_id, '(0+([.]0*)?)?') THEN NULL
          WHEN task_meta_id IS NULL THEN 'task_meta_id: not an id'
          WHEN task_meta_id < 0 THEN 'task_meta_id: not an id' END,
        CASE WHEN raw.notes IS NULL OR raw.notes = '' THEN NULL
          WHEN notes IS NULL THEN 'notes: not a text'
          WHEN contains(notes, chr(0)) THEN 'notes: it contains the character U+0000' END,
        CASE WHEN raw.priority IS NULL OR raw.priority = '' THEN NULL
          WHEN priority IS NULL THEN 'priority: not an integer'
           END,
        CASE WHEN raw.start_time IS NULL OR raw.start_time = '' THEN NULL
          WHEN start_time IS NULL THEN 'start_time: not a text'
          WHEN contains(start_time, chr(0)) THEN 'start_time: it contains the character U+0000' END,
        CASE WHEN raw.root_task_id IS NULL OR regexp_full_match(raw.root_task_id, '(0+([.]0*)?)?') THEN NULL
          WHEN root_task_id IS NULL THEN 'root_task_id: not an id'
          WHEN root_task_id < 0 THEN 'root_task_id: not an id' END,
        CASE WHEN raw.created_by IS NULL OR regexp_full_match(raw.created_by, '(0+([.]0*)?)?') THEN NULL
          WHEN created_by IS NULL THEN 'created_by: not an id'
          WHEN created_by < 0 THEN 'created_by: not an id' END,
        CASE WHEN raw.modified_by IS NULL OR regexp_full_match(raw.modified_by, '(0+([.]0*)?)?') THEN NULL
          WHEN modified_by IS NULL THEN 'modified_by: not an id'
          WHEN modified_by < 0 THEN 'modified_by: not an id' END,
        CASE WHEN raw.created IS NULL OR raw.created = '' THEN NULL
          WHEN created IS NULL THEN 'created: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.modified IS NULL OR raw.modified = '' THEN NULL
          WHEN modified IS NULL THEN 'modified: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.people_ids <> '' AND NOT (CASE WHEN raw.people_ids[1] = '[' THEN CASE WHEN json_valid(raw.people_ids) THEN from_json(raw.people_ids, '["JSON"]') END
    WHEN raw.people_ids[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.people_ids, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END IS NOT NULL) THEN 'people_ids: not a list' END,
        CASE WHEN end_date < start_date THEN 'end_date is before start_date' END,
        CASE WHEN repeat_end_date < start_date THEN 'repeat_end_date is before start_date' END,
        CASE WHEN people_id IS NULL AND NOT has_people_ids THEN 'people_id is missing, and people_ids is empty' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT task_id, project_id, phase_id, people_id, start_date, end_date, hours, name, repeat_state, repeat_end_date, status, billable, task_meta_id, notes, priority, start_time, root_task_id, created_by, modified_by, COALESCE(created, TIMESTAMP '2026-01-01 00:00:00') AS created, COALESCE(modified, TIMESTAMP '2026-01-01 00:00:00') AS modified, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    , 'lists': {'people_ids': NULLIF(raw.people_ids, '')}
  } AS origin
FROM validated;

WITH list AS (
  SELECT task_id, origin.file AS file, rowid AS container_row, CASE WHEN origin.lists.people_ids[1] = '[' THEN CASE WHEN json_valid(origin.lists.people_ids) THEN from_json(origin.lists.people_ids, '["JSON"]') END
    WHEN origin.lists.people_ids[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(origin.lists.people_ids, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END AS items
  FROM source.tasks
  WHERE origin.lists.people_ids IS NOT NULL
), item AS (
  SELECT task_id, file, container_row, unnest(range(1, len(items) + 1)) AS position, unnest(items) AS json
  FROM list
), record AS (
  SELECT * REPLACE (COALESCE(json, 'null') AS json), CAST(NULL AS VARCHAR) AS problem, {'people_id': json_extract_string(json, '$')} AS raw
  FROM item
), exact AS (
  SELECT *, CAST(NULL AS VARCHAR[]) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.people_id AS BIGINT) AS VARCHAR) = raw.people_id THEN TRY_CAST(raw.people_id AS BIGINT)
      WHEN regexp_full_match(raw.people_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.people_id AS BIGINT) END, 0) AS people_id,
    CAST(0 AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: TRUE)) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR people_id IS NULL
      OR (people_id < 0)
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN FALSE THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.people_id IS NULL OR regexp_full_match(raw.people_id, '(0+([.]0*)?)?') THEN 'people_id: missing'
          WHEN people_id IS NULL THEN 'people_id: not an id'
          WHEN people_id < 0 THEN 'people_id: not an id' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT task_id, CAST(position AS INTEGER) AS position, people_id, {
    'file': file, 'container_row': container_row, 'rounded': rounded, 'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CAST(json AS VARCHAR) END, 'left_out': left_out}) AS VARCHAR) END
  } AS origin
FROM validated;
