WITH record AS (
  SELECT *, from_json(json, '{"logged_time_id":"VARCHAR","people_id":"VARCHAR","date":"VARCHAR","hours":"VARCHAR","billable":"VARCHAR","locked":"VARCHAR","project_id":"VARCHAR","phase_id":"VARCHAR","task_id":"VARCHAR","task_meta_id":"VARCHAR","notes":"VARCHAR","reference_date":"VARCHAR","task_name":"VARCHAR","priority":"VARCHAR","locked_date":"VARCHAR","created_by":"VARCHAR","modified_by":"VARCHAR","created":"VARCHAR","modified":"VARCHAR"}') AS raw
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
    NULLIF(CASE WHEN raw.logged_time_id LIKE '{%' OR raw.logged_time_id LIKE '[%' OR raw.logged_time_id IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."logged_time_id"') = 'VARCHAR' THEN raw.logged_time_id END ELSE raw.logged_time_id END, '') AS logged_time_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.people_id AS BIGINT) AS VARCHAR) = raw.people_id THEN TRY_CAST(raw.people_id AS BIGINT)
      WHEN regexp_full_match(raw.people_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.people_id AS BIGINT) END, 0) AS people_id,
    CASE WHEN CAST(TRY_CAST(raw.date AS DATE) AS VARCHAR) = raw.date THEN TRY_CAST(raw.date AS DATE) END AS date,
    TRY_CAST(hours_text AS DECIMAL(10,6)) AS hours,
    CASE WHEN raw.billable IN ('1', 'true') THEN TRUE WHEN raw.billable IN ('0', 'false') THEN FALSE
      WHEN lower(raw.billable) IN ('1.0', 'true') THEN TRUE WHEN lower(raw.billable) IN ('0.0', 'false') THEN FALSE END AS billable,
    CASE WHEN raw.locked IN ('1', 'true') THEN TRUE WHEN raw.locked IN ('0', 'false') THEN FALSE
      WHEN lower(raw.locked) IN ('1.0', 'true') THEN TRUE WHEN lower(raw.locked) IN ('0.0', 'false') THEN FALSE END AS locked,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.project_id AS BIGINT) AS VARCHAR) = raw.project_id THEN TRY_CAST(raw.project_id AS BIGINT)
      WHEN regexp_full_match(raw.project_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.project_id AS BIGINT) END, 0) AS project_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.phase_id AS BIGINT) AS VARCHAR) = raw.phase_id THEN TRY_CAST(raw.phase_id AS BIGINT)
      WHEN regexp_full_match(raw.phase_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.phase_id AS BIGINT) END, 0) AS phase_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.task_id AS BIGINT) AS VARCHAR) = raw.task_id THEN TRY_CAST(raw.task_id AS BIGINT)
      WHEN regexp_full_match(raw.task_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.task_id AS BIGINT) END, 0) AS task_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.task_meta_id AS BIGINT) AS VARCHAR) = raw.task_meta_id THEN TRY_CAST(raw.task_meta_id AS BIGINT)
      WHEN regexp_full_match(raw.task_meta_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.task_meta_id AS BIGINT) END, 0) AS task_meta_id,
    CASE WHEN raw.notes LIKE '{%' OR raw.notes LIKE '[%' OR raw.notes IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."notes"') = 'VARCHAR' THEN raw.notes END ELSE raw.notes END AS notes,
    CASE WHEN CAST(TRY_CAST(raw.reference_date AS DATE) AS VARCHAR) = raw.reference_date THEN TRY_CAST(raw.reference_date AS DATE) END AS reference_date,
    CASE WHEN raw.task_name LIKE '{%' OR raw.task_name LIKE '[%' OR raw.task_name IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."task_name"') = 'VARCHAR' THEN raw.task_name END ELSE raw.task_name END AS task_name,
    COALESCE(CASE WHEN CAST(TRY_CAST(raw.priority AS INTEGER) AS VARCHAR) = raw.priority THEN TRY_CAST(raw.priority AS INTEGER)
      WHEN regexp_full_match(raw.priority, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.priority AS INTEGER) END, CASE lower(raw.priority) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END) AS priority,
    CASE WHEN CAST(TRY_CAST(raw.locked_date AS DATE) AS VARCHAR) = raw.locked_date THEN TRY_CAST(raw.locked_date AS DATE) END AS locked_date,
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
    CAST(CASE WHEN length(hours_text) > 7 THEN CASE WHEN regexp_matches(hours_text, '[.][0-9]{6}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('logged_time_id', 'people_id', 'date', 'hours', 'billable', 'locked', 'project_id', 'phase_id', 'task_id', 'task_meta_id', 'notes', 'reference_date', 'task_name', 'priority', 'locked_date', 'created_by', 'modified_by', 'created', 'modified'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR logged_time_id IS NULL
      OR people_id IS NULL
      OR date IS NULL
      OR hours IS NULL
      OR (billable IS NULL AND raw.billable <> '')
      OR (locked IS NULL AND raw.locked <> '')
      OR (project_id IS NULL AND raw.project_id NOT IN ('', '0'))
      OR (phase_id IS NULL AND raw.phase_id NOT IN ('', '0'))
      OR (task_id IS NULL AND raw.task_id NOT IN ('', '0'))
      OR (task_meta_id IS NULL AND raw.task_meta_id NOT IN ('', '0'))
      OR (notes IS NULL AND raw.notes <> '')
      OR (reference_date IS NULL AND raw.reference_date <> '')
      OR (task_name IS NULL AND raw.task_name <> '')
      OR (priority IS NULL AND raw.priority <> '')
      OR (locked_date IS NULL AND raw.locked_date <> '')
      OR (created_by IS NULL AND raw.created_by NOT IN ('', '0'))
      OR (modified_by IS NULL AND raw.modified_by NOT IN ('', '0'))
      OR (created IS NULL AND raw.created <> '')
      OR (modified IS NULL AND raw.modified <> '')
      OR (contains(logged_time_id, chr(0)))
      OR (people_id < 0)
      OR (date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (hours NOT BETWEEN 0 AND 24)
      OR (project_id < 0)
      OR (phase_id < 0)
      OR (task_id < 0)
      OR (task_meta_id < 0)
      OR (contains(notes, chr(0)))
      OR (reference_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (contains(task_name, chr(0)))
      OR (locked_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (created_by < 0)
      OR (modified_by < 0)
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.logged_time_id IS NULL OR raw.logged_time_id = '' THEN 'logged_time_id: missing'
          WHEN logged_time_id IS NULL THEN 'logged_time_id: not a text'
          WHEN contains(logged_time_id, chr(0)) THEN 'logged_time_id: it contains the character U+0000' END,
        CASE WHEN raw.people_id IS NULL OR regexp_full_match(raw.people_id, '(0+([.]0*)?)?') THEN 'people_id: missing'
          WHEN people_id IS NULL THEN 'people_id: not an id'
          WHEN people_id < 0 THEN 'people_id: not an id' END,
        CASE WHEN raw.date IS NULL OR raw.date = '' THEN 'date: missing'
          WHEN date IS NULL THEN 'date: not a day written YYYY-MM-DD'
          WHEN date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.hours IS NULL OR raw.hours = '' THEN 'hours: missing'
          WHEN hours IS NULL THEN CASE WHEN hours_text IS NULL THEN 'hours: not a number' ELSE 'hours: outside 0 to 24' END
          WHEN hours NOT BETWEEN 0 AND 24 THEN 'hours: outside 0 to 24' END,
        CASE WHEN raw.billable IS NULL OR raw.billable = '' THEN NULL
          WHEN billable IS NULL THEN 'billable: not true or false'
           END,
        CASE WHEN raw.locked IS NULL OR raw.locked = '' THEN NULL
          WHEN locked IS NULL THEN 'locked: not true or false'
           END,
        CASE WHEN raw.project_id IS NULL OR regexp_full_match(raw.project_id, '(0+([.]0*)?)?') THEN NULL
          WHEN project_id IS NULL THEN 'project_id: not an id'
          WHEN project_id < 0 THEN 'project_id: not an id' END,
        CASE WHEN raw.phase_id IS NULL OR regexp_full_match(raw.phase_id, '(0+([.]0*)?)?') THEN NULL
          WHEN phase_id IS NULL THEN 'phase_id: not an id'
          WHEN phase_id < 0 THEN 'phase_id: not an id' END,
        CASE WHEN raw.task_id IS NULL OR regexp_full_match(raw.task_id, '(0+([.]0*)?)?') THEN NULL
          WHEN task_id IS NULL THEN 'task_id: not an id'
          WHEN task_id < 0 THEN 'task_id: not an id' END,
        CASE WHEN raw.task_meta_id IS NULL OR regexp_full_match(raw.task_meta_id, '(0+([.]0*)?)?') THEN NULL
          WHEN task_meta_id IS NULL THEN 'task_meta_id: not an id'
          WHEN task_meta_id < 0 THEN 'task_meta_id: not an id' END,
        CASE WHEN raw.notes IS NULL OR raw.notes = '' THEN NULL
          WHEN notes IS NULL THEN 'notes: not a text'
          WHEN contains(notes, chr(0)) THEN 'notes: it contains the character U+0000' END,
        CASE WHEN raw.reference_date IS NULL OR raw.reference_date = '' THEN NULL
          WHEN reference_date IS NULL THEN 'reference_date: not a day written YYYY-MM-DD'
          WHEN reference_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'reference_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.task_name IS NULL OR raw.task_name = '' THEN NULL
          WHEN task_name IS NULL THEN 'task_name: not a text'
          WHEN contains(task_name, chr(0)) THEN 'task_name: it contains the character U+0000' END,
        CASE WHEN raw.priority IS NULL OR raw.priority = '' THEN NULL
          WHEN priority IS NULL THEN 'priority: not an integer'
           END,
        CASE WHEN raw.locked_date IS NULL OR raw.locked_date = '' THEN NULL
          WHEN locked_date IS NULL THEN 'locked_date: not a day written YYYY-MM-DD'
          WHEN locked_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'locked_date: outside 1970-01-01 to 2099-12-31' END,
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
           END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT logged_time_id, people_id, date, hours, billable, locked, project_id, phase_id, task_id, task_meta_id, notes, reference_date, task_name, priority, locked_date, created_by, modified_by, COALESCE(created, TIMESTAMP '2026-01-01 00:00:00') AS created, COALESCE(modified, TIMESTAMP '2026-01-01 00:00:00') AS modified, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    
  } AS origin
FROM validated;
