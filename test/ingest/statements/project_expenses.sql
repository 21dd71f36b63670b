WITH record AS (
  SELECT *, from_json(json, '{"project_expense_id":"VARCHAR","id":"VARCHAR","project_id":"VARCHAR","name":"VARCHAR","date":"VARCHAR","cost":"VARCHAR","billable":"VARCHAR","markup":"VARCHAR","markup_type":"VARCHAR","created":"VARCHAR","modified":"VARCHAR"}') AS raw
  FROM (
  FROM given
  )
), exact AS (
  SELECT *, CASE WHEN raw.cost IS NULL OR raw.cost = '' THEN NULL
    WHEN regexp_full_match(raw.cost, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.cost
    WHEN json_type(json, '$."cost"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.cost, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.cost END
    WHEN abs(TRY_CAST(raw.cost AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.cost AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.cost AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.cost AS DOUBLE))
    WHEN regexp_matches(raw.cost, '^-?[0-9]') THEN raw.cost -- a number beyond every range, such as 1e400
  END AS cost_text,
    CASE WHEN raw.markup IS NULL OR raw.markup = '' THEN NULL
    WHEN regexp_full_match(raw.markup, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.markup
    WHEN json_type(json, '$."markup"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.markup, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.markup END
    WHEN abs(TRY_CAST(raw.markup AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.markup AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.markup AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.markup AS DOUBLE))
    WHEN regexp_matches(raw.markup, '^-?[0-9]') THEN raw.markup -- a number beyond every range, such as 1e400
  END AS markup_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(COALESCE(NULLIF(raw.project_expense_id, ''), NULLIF(raw.id, '')) AS BIGINT) AS VARCHAR) = COALESCE(NULLIF(raw.project_expense_id, ''), NULLIF(raw.id, '')) THEN TRY_CAST(COALESCE(NULLIF(raw.project_expense_id, ''), NULLIF(raw.id, '')) AS BIGINT)
      WHEN regexp_full_match(COALESCE(NULLIF(raw.project_expense_id, ''), NULLIF(raw.id, '')), '-?[0-9]+([.]0*)?') THEN TRY_CAST(COALESCE(NULLIF(raw.project_expense_id, ''), NULLIF(raw.id, '')) AS BIGINT) END, 0) AS project_expense_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.project_id AS BIGINT) AS VARCHAR) = raw.project_id THEN TRY_CAST(raw.project_id AS BIGINT)
      WHEN regexp_full_match(raw.project_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.project_id AS BIGINT) END, 0) AS project_id,
    CASE WHEN raw.name LIKE '{%' OR raw.name LIKE '[%' OR raw.name IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."name"') = 'VARCHAR' THEN raw.name END ELSE raw.name END AS name,
    CASE WHEN CAST(TRY_CAST(raw.date AS DATE) AS VARCHAR) = raw.date THEN TRY_CAST(raw.date AS DATE) END AS date,
    TRY_CAST(cost_text AS DECIMAL(18,4)) AS cost,
    CASE WHEN raw.billable IN ('1', 'true') THEN TRUE WHEN raw.billable IN ('0', 'false') THEN FALSE
      WHEN lower(raw.billable) IN ('1.0', 'true') THEN TRUE WHEN lower(raw.billable) IN ('0.0', 'false') THEN FALSE END AS billable,
    TRY_CAST(markup_text AS DECIMAL(18,4)) AS markup,
    CASE WHEN CAST(TRY_CAST(raw.markup_type AS INTEGER) AS VARCHAR) = raw.markup_type THEN TRY_CAST(raw.markup_type AS INTEGER)
      WHEN regexp_full_match(raw.markup_type, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.markup_type AS INTEGER) END AS markup_type,
    CASE WHEN CAST(TRY_CAST(raw.created AS TIMESTAMP) AS VARCHAR) = raw.created AND raw.created LIKE '____-__-__ __:%' THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.created, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS created,
    CASE WHEN CAST(TRY_CAST(raw.modified AS TIMESTAMP) AS VARCHAR) = raw.modified AND raw.modified LIKE '____-__-__ __:%' THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.modified, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS modified,
    CAST(CASE WHEN length(cost_text) > 5 THEN CASE WHEN regexp_matches(cost_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END + CASE WHEN length(markup_text) > 5 THEN CASE WHEN regexp_matches(markup_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('project_expense_id', 'id', 'project_id', 'name', 'date', 'cost', 'billable', 'markup', 'markup_type', 'created', 'modified'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR project_expense_id IS NULL
      OR project_id IS NULL
      OR (name IS NULL AND raw.name <> '')
      OR date IS NULL
      OR cost IS NULL
      OR (billable IS NULL AND raw.billable <> '')
      OR (markup IS NULL AND raw.markup <> '')
      OR (markup_type IS NULL AND raw.markup_type <> '')
      OR (created IS NULL AND raw.created <> '')
      OR (modified IS NULL AND raw.modified <> '')
      OR (project_expense_id < 0)
      OR (project_id < 0)
      OR (contains(name, chr(0)))
      OR (date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (cost <= -100000000000)
      OR (cost >= 100000000000)
      OR (markup <= -100000000000)
      OR (markup >= 100000000000)
      OR (NOT list_contains([0, 1], markup_type))
      OR (COALESCE(markup_type, 0) = 0 AND ABS(CAST(cost AS DECIMAL(19,4)) * (100 + markup)) >= 9999999999999900)
      OR (markup < 0 AND NOT (COALESCE(markup_type, 0) = 1 AND cost < 0))
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN COALESCE(NULLIF(raw.project_expense_id, ''), NULLIF(raw.id, '')) IS NULL OR regexp_full_match(COALESCE(NULLIF(raw.project_expense_id, ''), NULLIF(raw.id, '')), '(0+([.]0*)?)?') THEN 'project_expense_id: missing'
          WHEN project_expense_id IS NULL THEN 'project_expense_id: not an id'
          WHEN project_expense_id < 0 THEN 'project_expense_id: not an id' END,
        CASE WHEN raw.project_id IS NULL OR regexp_full_match(raw.project_id, '(0+([.]0*)?)?') THEN 'project_id: missing'
          WHEN project_id IS NULL THEN 'project_id: not an id'
          WHEN project_id < 0 THEN 'project_id: not an id' END,
        CASE WHEN raw.name IS NULL OR raw.name = '' THEN NULL
          WHEN name IS NULL THEN 'name: not a text'
          WHEN contains(name, chr(0)) THEN 'name: it contains the character U+0000' END,
        CASE WHEN raw.date IS NULL OR raw.date = '' THEN 'date: missing'
          WHEN date IS NULL THEN 'date: not a day written YYYY-MM-DD'
          WHEN date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.cost IS NULL OR raw.cost = '' THEN 'cost: missing'
          WHEN cost IS NULL THEN CASE WHEN cost_text IS NULL THEN 'cost: not a number' ELSE CASE WHEN cost_text LIKE '-%' THEN 'cost: not above -100000000000' ELSE 'cost: not below 100000000000' END END
          WHEN cost <= -100000000000 THEN 'cost: not above -100000000000' WHEN cost >= 100000000000 THEN 'cost: not below 100000000000' END,
        CASE WHEN raw.billable IS NULL OR raw.billable = '' THEN NULL
          WHEN billable IS NULL THEN 'billable: not true or false'
           END,
        CASE WHEN raw.markup IS NULL OR raw.markup = '' THEN NULL
          WHEN markup IS NULL THEN CASE WHEN markup_text IS NULL THEN 'markup: not a number' ELSE CASE WHEN markup_text LIKE '-%' THEN 'markup: not above -100000000000' ELSE 'markup: not below 100000000000' END END
          WHEN markup <= -100000000000 THEN 'markup: not above -100000000000' WHEN markup >= 100000000000 THEN 'markup: not below 100000000000' END,
        CASE WHEN raw.markup_type IS NULL OR raw.markup_type = '' THEN NULL
          WHEN markup_type IS NULL THEN 'markup_type: not one of 0, 1'
          WHEN NOT list_contains([0, 1], markup_type) THEN 'markup_type: not one of 0, 1' END,
        CASE WHEN raw.created IS NULL OR raw.created = '' THEN NULL
          WHEN created IS NULL THEN 'created: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.modified IS NULL OR raw.modified = '' THEN NULL
          WHEN modified IS NULL THEN 'modified: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN COALESCE(markup_type, 0) = 0 AND ABS(CAST(cost AS DECIMAL(19,4)) * (100 + markup)) >= 9999999999999900 THEN 'cost with its markup is too large' END,
        CASE WHEN markup < 0 AND NOT (COALESCE(markup_type, 0) = 1 AND cost < 0) THEN 'markup is below 0, and neither fixed (markup_type 1) nor of a cost below 0' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT project_expense_id, project_id, name, date, cost, billable, markup, markup_type, COALESCE(created, TIMESTAMP '2026-01-01 00:00:00') AS created, COALESCE(modified, TIMESTAMP '2026-01-01 00:00:00') AS modified, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    
  } AS origin
FROM validated;
