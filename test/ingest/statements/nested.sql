WITH record AS (
  SELECT *, from_json(json, '{"project_expense_id":"VARCHAR","id":"VARCHAR","project_id":"VARCHAR","name":"VARCHAR","date":"VARCHAR","cost":"VARCHAR","billable":"VARCHAR","markup":"VARCHAR","markup_type":"VARCHAR","created":"VARCHAR","modified":"VARCHAR"}') AS raw
  FROM (
  SELECT file, CAST(COALESCE(json, 'null') AS VARCHAR) AS json, CAST(NULL AS VARCHAR) AS problem, container_row, container_id
  FROM (
    SELECT origin.file AS file, unnest(CASE WHEN origin.lists.expenses[1] = '[' THEN CASE WHEN json_valid(origin.lists.expenses) THEN from_json(origin.lists.expenses, '["JSON"]') END
    WHEN origin.lists.expenses[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(origin.lists.expenses, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END) AS json, rowid AS container_row, project_id AS container_id
    FROM source.projects
    WHERE origin.lists.expenses IS NOT NULL
  )
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
    NULLIF(CASE WHEN CAST(TRY_CAST(COALESCE(NULLIF(NULLIF(raw.project_id, ''), '0'), CAST(container_id AS VARCHAR)) AS BIGINT) AS VARCHAR) = COALESCE(NULLIF(NULLIF(raw.project_id, ''), '0'), CAST(container_id AS VARCHAR)) THEN TRY_CAST(COALESCE(NULLIF(NULLIF(raw.project_id, ''), '0'), CAST(container_id AS VARCHAR)) AS BIGINT)
      WHEN regexp_full_match(COALESCE(NULLIF(NULLIF(raw.project_id, ''), '0'), CAST(container_id AS VARCHAR)), '-?[0-9]+([.]0*)?') THEN TRY_CAST(COALESCE(NULLIF(NULLIF(raw.project_id, ''), '0'), CAST(container_id AS VARCHAR)) AS BIGINT) END, 0) AS project_id,
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
        CASE WHEN COALESCE(NULLIF(NULLIF(raw.project_id, ''), '0'), CAST(container_id AS VARCHAR)) IS NULL OR regexp_full_match(COALESCE(NULLIF(NULLIF(raw.project_id, ''), '0'), CAST(container_id AS VARCHAR)), '(0+([.]0*)?)?') THEN 'project_id: missing'
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

WITH record AS (
  SELECT *, from_json(json, '{"invoice_line_id":"VARCHAR","invoice_id":"VARCHAR","project_id":"VARCHAR","phase_id":"VARCHAR","task_meta_id":"VARCHAR","amount":"VARCHAR","kind":"VARCHAR","name":"VARCHAR","credits":"VARCHAR","created":"VARCHAR","modified":"VARCHAR","covers":"VARCHAR"}') AS raw
  FROM (
  SELECT file, CAST(COALESCE(json, 'null') AS VARCHAR) AS json, CAST(NULL AS VARCHAR) AS problem, container_row, container_id
  FROM (
    SELECT origin.file AS file, unnest(CASE WHEN origin.lists.lines[1] = '[' THEN CASE WHEN json_valid(origin.lists.lines) THEN from_json(origin.lists.lines, '["JSON"]') END
    WHEN origin.lists.lines[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(origin.lists.lines, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END) AS json, rowid AS container_row, invoice_id AS container_id
    FROM source.invoices
    WHERE origin.lists.lines IS NOT NULL
  )
  )
), exact AS (
  SELECT *, CASE WHEN raw.amount IS NULL OR raw.amount = '' THEN NULL
    WHEN regexp_full_match(raw.amount, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.amount
    WHEN json_type(json, '$."amount"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.amount, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.amount END
    WHEN abs(TRY_CAST(raw.amount AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.amount AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.amount AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.amount AS DOUBLE))
    WHEN regexp_matches(raw.amount, '^-?[0-9]') THEN raw.amount -- a number beyond every range, such as 1e400
  END AS amount_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.invoice_line_id AS BIGINT) AS VARCHAR) = raw.invoice_line_id THEN TRY_CAST(raw.invoice_line_id AS BIGINT)
      WHEN regexp_full_match(raw.invoice_line_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.invoice_line_id AS BIGINT) END, 0) AS invoice_line_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(COALESCE(NULLIF(NULLIF(raw.invoice_id, ''), '0'), CAST(container_id AS VARCHAR)) AS BIGINT) AS VARCHAR) = COALESCE(NULLIF(NULLIF(raw.invoice_id, ''), '0'), CAST(container_id AS VARCHAR)) THEN TRY_CAST(COALESCE(NULLIF(NULLIF(raw.invoice_id, ''), '0'), CAST(container_id AS VARCHAR)) AS BIGINT)
      WHEN regexp_full_match(COALESCE(NULLIF(NULLIF(raw.invoice_id, ''), '0'), CAST(container_id AS VARCHAR)), '-?[0-9]+([.]0*)?') THEN TRY_CAST(COALESCE(NULLIF(NULLIF(raw.invoice_id, ''), '0'), CAST(container_id AS VARCHAR)) AS BIGINT) END, 0) AS invoice_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.project_id AS BIGINT) AS VARCHAR) = raw.project_id THEN TRY_CAST(raw.project_id AS BIGINT)
      WHEN regexp_full_match(raw.project_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.project_id AS BIGINT) END, 0) AS project_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.phase_id AS BIGINT) AS VARCHAR) = raw.phase_id THEN TRY_CAST(raw.phase_id AS BIGINT)
      WHEN regexp_full_match(raw.phase_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.phase_id AS BIGINT) END, 0) AS phase_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.task_meta_id AS BIGINT) AS VARCHAR) = raw.task_meta_id THEN TRY_CAST(raw.task_meta_id AS BIGINT)
      WHEN regexp_full_match(raw.task_meta_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.task_meta_id AS BIGINT) END, 0) AS task_meta_id,
    TRY_CAST(amount_text AS DECIMAL(18,4)) AS amount,
    NULLIF(lower(regexp_replace(CASE WHEN raw.kind LIKE '{%' OR raw.kind LIKE '[%' OR raw.kind IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."kind"') = 'VARCHAR' THEN raw.kind END ELSE raw.kind END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS kind,
    CASE WHEN raw.name LIKE '{%' OR raw.name LIKE '[%' OR raw.name IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."name"') = 'VARCHAR' THEN raw.name END ELSE raw.name END AS name,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.credits AS BIGINT) AS VARCHAR) = raw.credits THEN TRY_CAST(raw.credits AS BIGINT)
      WHEN regexp_full_match(raw.credits, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.credits AS BIGINT) END, 0) AS credits,
    CASE WHEN CAST(TRY_CAST(raw.created AS TIMESTAMP) AS VARCHAR) = raw.created AND raw.created LIKE '____-__-__ __:%' THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.created, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS created,
    CASE WHEN CAST(TRY_CAST(raw.modified AS TIMESTAMP) AS VARCHAR) = raw.modified AND raw.modified LIKE '____-__-__ __:%' THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.modified, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS modified,
    CAST(CASE WHEN length(amount_text) > 5 THEN CASE WHEN regexp_matches(amount_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('invoice_line_id', 'invoice_id', 'project_id', 'phase_id', 'task_meta_id', 'amount', 'kind', 'name', 'credits', 'created', 'modified', 'covers'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR invoice_line_id IS NULL
      OR invoice_id IS NULL
      OR (project_id IS NULL AND raw.project_id NOT IN ('', '0'))
      OR (phase_id IS NULL AND raw.phase_id NOT IN ('', '0'))
      OR (task_meta_id IS NULL AND raw.task_meta_id NOT IN ('', '0'))
      OR amount IS NULL
      OR (kind IS NULL AND raw.kind <> '')
      OR (name IS NULL AND raw.name <> '')
      OR (credits IS NULL AND raw.credits NOT IN ('', '0'))
      OR (created IS NULL AND raw.created <> '')
      OR (modified IS NULL AND raw.modified <> '')
      OR (invoice_line_id < 0)
      OR (invoice_id < 0)
      OR (project_id < 0)
      OR (phase_id < 0)
      OR (task_meta_id < 0)
      OR (amount <= -100000000000)
      OR (amount >= 100000000000)
      OR (NOT list_contains(['other', 'time', 'expense', 'fixed', 'retainer', 'discount'], kind))
      OR (contains(name, chr(0)))
      OR (credits < 0)
      OR (raw.covers <> '' AND NOT (raw.covers[1] = '[' AND json_valid(raw.covers)))
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.invoice_line_id IS NULL OR regexp_full_match(raw.invoice_line_id, '(0+([.]0*)?)?') THEN 'invoice_line_id: missing'
          WHEN invoice_line_id IS NULL THEN 'invoice_line_id: not an id'
          WHEN invoice_line_id < 0 THEN 'invoice_line_id: not an id' END,
        CASE WHEN COALESCE(NULLIF(NULLIF(raw.invoice_id, ''), '0'), CAST(container_id AS VARCHAR)) IS NULL OR regexp_full_match(COALESCE(NULLIF(NULLIF(raw.invoice_id, ''), '0'), CAST(container_id AS VARCHAR)), '(0+([.]0*)?)?') THEN 'invoice_id: missing'
          WHEN invoice_id IS NULL THEN 'invoice_id: not an id'
          WHEN invoice_id < 0 THEN 'invoice_id: not an id' END,
        CASE WHEN raw.project_id IS NULL OR regexp_full_match(raw.project_id, '(0+([.]0*)?)?') THEN NULL
          WHEN project_id IS NULL THEN 'project_id: not an id'
          WHEN project_id < 0 THEN 'project_id: not an id' END,
        CASE WHEN raw.phase_id IS NULL OR regexp_full_match(raw.phase_id, '(0+([.]0*)?)?') THEN NULL
          WHEN phase_id IS NULL THEN 'phase_id: not an id'
          WHEN phase_id < 0 THEN 'phase_id: not an id' END,
        CASE WHEN raw.task_meta_id IS NULL OR regexp_full_match(raw.task_meta_id, '(0+([.]0*)?)?') THEN NULL
          WHEN task_meta_id IS NULL THEN 'task_meta_id: not an id'
          WHEN task_meta_id < 0 THEN 'task_meta_id: not an id' END,
        CASE WHEN raw.amount IS NULL OR raw.amount = '' THEN 'amount: missing'
          WHEN amount IS NULL THEN CASE WHEN amount_text IS NULL THEN 'amount: not a number' ELSE CASE WHEN amount_text LIKE '-%' THEN 'amount: not above -100000000000' ELSE 'amount: not below 100000000000' END END
          WHEN amount <= -100000000000 THEN 'amount: not above -100000000000' WHEN amount >= 100000000000 THEN 'amount: not below 100000000000' END,
        CASE WHEN raw.kind IS NULL OR regexp_replace(raw.kind, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN NULL
          WHEN kind IS NULL THEN 'kind: not a text'
          WHEN NOT list_contains(['other', 'time', 'expense', 'fixed', 'retainer', 'discount'], kind) THEN 'kind: not one of other, time, expense, fixed, retainer, discount' END,
        CASE WHEN raw.name IS NULL OR raw.name = '' THEN NULL
          WHEN name IS NULL THEN 'name: not a text'
          WHEN contains(name, chr(0)) THEN 'name: it contains the character U+0000' END,
        CASE WHEN raw.credits IS NULL OR regexp_full_match(raw.credits, '(0+([.]0*)?)?') THEN NULL
          WHEN credits IS NULL THEN 'credits: not an id'
          WHEN credits < 0 THEN 'credits: not an id' END,
        CASE WHEN raw.created IS NULL OR raw.created = '' THEN NULL
          WHEN created IS NULL THEN 'created: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.modified IS NULL OR raw.modified = '' THEN NULL
          WHEN modified IS NULL THEN 'modified: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.covers <> '' AND NOT (CASE WHEN raw.covers[1] = '[' THEN CASE WHEN json_valid(raw.covers) THEN from_json(raw.covers, '["JSON"]') END
    WHEN raw.covers[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.covers, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END IS NOT NULL) THEN 'covers: not a list' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT invoice_line_id, invoice_id, project_id, phase_id, task_meta_id, amount, kind, name, credits, COALESCE(created, TIMESTAMP '2026-01-01 00:00:00') AS created, COALESCE(modified, TIMESTAMP '2026-01-01 00:00:00') AS modified, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    , 'lists': {'covers': NULLIF(raw.covers, '')}
  } AS origin
FROM validated;
