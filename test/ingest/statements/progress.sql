WITH record AS (
  SELECT *, from_json(json, '{"progress_id":"VARCHAR","project_id":"VARCHAR","phase_id":"VARCHAR","task_meta_id":"VARCHAR","date":"VARCHAR","percent":"VARCHAR","remaining_hours":"VARCHAR","notes":"VARCHAR","created_by":"VARCHAR","created":"VARCHAR","modified":"VARCHAR"}') AS raw
  FROM (
  FROM given
  )
), exact AS (
  SELECT *, CASE WHEN raw.percent IS NULL OR raw.percent = '' THEN NULL
    WHEN regexp_full_match(raw.percent, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.percent
    WHEN json_type(json, '$."percent"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.percent, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.percent END
    WHEN abs(TRY_CAST(raw.percent AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.percent AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.percent AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.percent AS DOUBLE))
    WHEN regexp_matches(raw.percent, '^-?[0-9]') THEN raw.percent -- a number beyond every range, such as 1e400
  END AS percent_text,
    CASE WHEN raw.remaining_hours IS NULL OR raw.remaining_hours = '' THEN NULL
    WHEN regexp_full_match(raw.remaining_hours, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.remaining_hours
    WHEN json_type(json, '$."remaining_hours"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.remaining_hours, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.remaining_hours END
    WHEN abs(TRY_CAST(raw.remaining_hours AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.remaining_hours AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.remaining_hours AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.remaining_hours AS DOUBLE))
    WHEN regexp_matches(raw.remaining_hours, '^-?[0-9]') THEN raw.remaining_hours -- a number beyond every range, such as 1e400
  END AS remaining_hours_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.progress_id AS BIGINT) AS VARCHAR) = raw.progress_id THEN TRY_CAST(raw.progress_id AS BIGINT)
      WHEN regexp_full_match(raw.progress_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.progress_id AS BIGINT) END, 0) AS progress_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.project_id AS BIGINT) AS VARCHAR) = raw.project_id THEN TRY_CAST(raw.project_id AS BIGINT)
      WHEN regexp_full_match(raw.project_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.project_id AS BIGINT) END, 0) AS project_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.phase_id AS BIGINT) AS VARCHAR) = raw.phase_id THEN TRY_CAST(raw.phase_id AS BIGINT)
      WHEN regexp_full_match(raw.phase_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.phase_id AS BIGINT) END, 0) AS phase_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.task_meta_id AS BIGINT) AS VARCHAR) = raw.task_meta_id THEN TRY_CAST(raw.task_meta_id AS BIGINT)
      WHEN regexp_full_match(raw.task_meta_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.task_meta_id AS BIGINT) END, 0) AS task_meta_id,
    CASE WHEN CAST(TRY_CAST(raw.date AS DATE) AS VARCHAR) = raw.date THEN TRY_CAST(raw.date AS DATE) END AS date,
    TRY_CAST(percent_text AS DECIMAL(7,4)) AS percent,
    TRY_CAST(remaining_hours_text AS DECIMAL(14,6)) AS remaining_hours,
    CASE WHEN raw.notes LIKE '{%' OR raw.notes LIKE '[%' OR raw.notes IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."notes"') = 'VARCHAR' THEN raw.notes END ELSE raw.notes END AS notes,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.created_by AS BIGINT) AS VARCHAR) = raw.created_by THEN TRY_CAST(raw.created_by AS BIGINT)
      WHEN regexp_full_match(raw.created_by, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.created_by AS BIGINT) END, 0) AS created_by,
    CASE WHEN CAST(TRY_CAST(raw.created AS TIMESTAMP) AS VARCHAR) = raw.created AND raw.created LIKE '____-__-__ __:%' THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.created, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS created,
    CASE WHEN CAST(TRY_CAST(raw.modified AS TIMESTAMP) AS VARCHAR) = raw.modified AND raw.modified LIKE '____-__-__ __:%' THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.modified, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS modified,
    CAST(CASE WHEN length(percent_text) > 5 THEN CASE WHEN regexp_matches(percent_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END + CASE WHEN length(remaining_hours_text) > 7 THEN CASE WHEN regexp_matches(remaining_hours_text, '[.][0-9]{6}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('progress_id', 'project_id', 'phase_id', 'task_meta_id', 'date', 'percent', 'remaining_hours', 'notes', 'created_by', 'created', 'modified'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR progress_id IS NULL
      OR project_id IS NULL
      OR (phase_id IS NULL AND raw.phase_id NOT IN ('', '0'))
      OR (task_meta_id IS NULL AND raw.task_meta_id NOT IN ('', '0'))
      OR date IS NULL
      OR (percent IS NULL AND raw.percent <> '')
      OR (remaining_hours IS NULL AND raw.remaining_hours <> '')
      OR (notes IS NULL AND raw.notes <> '')
      OR (created_by IS NULL AND raw.created_by NOT IN ('', '0'))
      OR (created IS NULL AND raw.created <> '')
      OR (modified IS NULL AND raw.modified <> '')
      OR (progress_id < 0)
      OR (project_id < 0)
      OR (phase_id < 0)
      OR (task_meta_id < 0)
      OR (date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (percent NOT BETWEEN 0 AND 100)
      OR (remaining_hours < 0)
      OR (remaining_hours >= 100000000)
      OR (contains(notes, chr(0)))
      OR (created_by < 0)
      OR (percent IS NOT NULL AND remaining_hours IS NOT NULL)
      OR (percent IS NULL AND remaining_hours IS NULL)
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.progress_id IS NULL OR regexp_full_match(raw.progress_id, '(0+([.]0*)?)?') THEN 'progress_id: missing'
          WHEN progress_id IS NULL THEN 'progress_id: not an id'
          WHEN progress_id < 0 THEN 'progress_id: not an id' END,
        CASE WHEN raw.project_id IS NULL OR regexp_full_match(raw.project_id, '(0+([.]0*)?)?') THEN 'project_id: missing'
          WHEN project_id IS NULL THEN 'project_id: not an id'
          WHEN project_id < 0 THEN 'project_id: not an id' END,
        CASE WHEN raw.phase_id IS NULL OR regexp_full_match(raw.phase_id, '(0+([.]0*)?)?') THEN NULL
          WHEN phase_id IS NULL THEN 'phase_id: not an id'
          WHEN phase_id < 0 THEN 'phase_id: not an id' END,
        CASE WHEN raw.task_meta_id IS NULL OR regexp_full_match(raw.task_meta_id, '(0+([.]0*)?)?') THEN NULL
          WHEN task_meta_id IS NULL THEN 'task_meta_id: not an id'
          WHEN task_meta_id < 0 THEN 'task_meta_id: not an id' END,
        CASE WHEN raw.date IS NULL OR raw.date = '' THEN 'date: missing'
          WHEN date IS NULL THEN 'date: not a day written YYYY-MM-DD'
          WHEN date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.percent IS NULL OR raw.percent = '' THEN NULL
          WHEN percent IS NULL THEN CASE WHEN percent_text IS NULL THEN 'percent: not a number' ELSE 'percent: outside 0 to 100' END
          WHEN percent NOT BETWEEN 0 AND 100 THEN 'percent: outside 0 to 100' END,
        CASE WHEN raw.remaining_hours IS NULL OR raw.remaining_hours = '' THEN NULL
          WHEN remaining_hours IS NULL THEN CASE WHEN remaining_hours_text IS NULL THEN 'remaining_hours: not a number' ELSE CASE WHEN remaining_hours_text LIKE '-%' THEN 'remaining_hours: below 0' ELSE 'remaining_hours: not below 100000000' END END
          WHEN remaining_hours < 0 THEN 'remaining_hours: below 0' WHEN remaining_hours >= 100000000 THEN 'remaining_hours: not below 100000000' END,
        CASE WHEN raw.notes IS NULL OR raw.notes = '' THEN NULL
          WHEN notes IS NULL THEN 'notes: not a text'
          WHEN contains(notes, chr(0)) THEN 'notes: it contains the character U+0000' END,
        CASE WHEN raw.created_by IS NULL OR regexp_full_match(raw.created_by, '(0+([.]0*)?)?') THEN NULL
          WHEN created_by IS NULL THEN 'created_by: not an id'
          WHEN created_by < 0 THEN 'created_by: not an id' END,
        CASE WHEN raw.created IS NULL OR raw.created = '' THEN NULL
          WHEN created IS NULL THEN 'created: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.modified IS NULL OR raw.modified = '' THEN NULL
          WHEN modified IS NULL THEN 'modified: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN percent IS NOT NULL AND remaining_hours IS NOT NULL THEN 'percent is given beside remaining_hours, and only one of them can be' END,
        CASE WHEN percent IS NULL AND remaining_hours IS NULL THEN 'percent is missing, and so is remaining_hours: one of them is required' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT progress_id, project_id, phase_id, task_meta_id, date, percent, remaining_hours, notes, created_by, COALESCE(created, TIMESTAMP '2026-01-01 00:00:00') AS created, COALESCE(modified, TIMESTAMP '2026-01-01 00:00:00') AS modified, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    
  } AS origin
FROM validated;
