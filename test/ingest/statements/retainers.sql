WITH record AS (
  SELECT *, from_json(json, '{"retainer_id":"VARCHAR","project_id":"VARCHAR","phase_id":"VARCHAR","start_date":"VARCHAR","end_date":"VARCHAR","unit":"VARCHAR","every":"VARCHAR","counts":"VARCHAR","rollover":"VARCHAR","first":"VARCHAR","recognise":"VARCHAR","overage":"VARCHAR","expires_after":"VARCHAR","created":"VARCHAR","modified":"VARCHAR","amounts":"VARCHAR"}') AS raw
  FROM (
  FROM given
  )
), exact AS (
  SELECT *, json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.retainer_id AS BIGINT) AS VARCHAR) = raw.retainer_id THEN TRY_CAST(raw.retainer_id AS BIGINT)
      WHEN regexp_full_match(raw.retainer_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.retainer_id AS BIGINT) END, 0) AS retainer_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.project_id AS BIGINT) AS VARCHAR) = raw.project_id THEN TRY_CAST(raw.project_id AS BIGINT)
      WHEN regexp_full_match(raw.project_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.project_id AS BIGINT) END, 0) AS project_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.phase_id AS BIGINT) AS VARCHAR) = raw.phase_id THEN TRY_CAST(raw.phase_id AS BIGINT)
      WHEN regexp_full_match(raw.phase_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.phase_id AS BIGINT) END, 0) AS phase_id,
    CASE WHEN CAST(TRY_CAST(raw.start_date AS DATE) AS VARCHAR) = raw.start_date THEN TRY_CAST(raw.start_date AS DATE) END AS start_date,
    CASE WHEN CAST(TRY_CAST(raw.end_date AS DATE) AS VARCHAR) = raw.end_date THEN TRY_CAST(raw.end_date AS DATE) END AS end_date,
    NULLIF(lower(regexp_replace(CASE WHEN raw.unit LIKE '{%' OR raw.unit LIKE '[%' OR raw.unit IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."unit"') = 'VARCHAR' THEN raw.unit END ELSE raw.unit END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS unit,
    NULLIF(lower(regexp_replace(CASE WHEN raw.every LIKE '{%' OR raw.every LIKE '[%' OR raw.every IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."every"') = 'VARCHAR' THEN raw.every END ELSE raw.every END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS every,
    NULLIF(lower(regexp_replace(CASE WHEN raw.counts LIKE '{%' OR raw.counts LIKE '[%' OR raw.counts IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."counts"') = 'VARCHAR' THEN raw.counts END ELSE raw.counts END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS counts,
    NULLIF(lower(regexp_replace(CASE WHEN raw.rollover LIKE '{%' OR raw.rollover LIKE '[%' OR raw.rollover IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."rollover"') = 'VARCHAR' THEN raw.rollover END ELSE raw.rollover END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS rollover,
    NULLIF(lower(regexp_replace(CASE WHEN raw.first LIKE '{%' OR raw.first LIKE '[%' OR raw.first IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."first"') = 'VARCHAR' THEN raw.first END ELSE raw.first END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS first,
    NULLIF(lower(regexp_replace(CASE WHEN raw.recognise LIKE '{%' OR raw.recognise LIKE '[%' OR raw.recognise IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."recognise"') = 'VARCHAR' THEN raw.recognise END ELSE raw.recognise END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS recognise,
    NULLIF(lower(regexp_replace(CASE WHEN raw.overage LIKE '{%' OR raw.overage LIKE '[%' OR raw.overage IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."overage"') = 'VARCHAR' THEN raw.overage END ELSE raw.overage END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS overage,
    CASE WHEN CAST(TRY_CAST(raw.expires_after AS INTEGER) AS VARCHAR) = raw.expires_after THEN TRY_CAST(raw.expires_after AS INTEGER)
      WHEN regexp_full_match(raw.expires_after, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.expires_after AS INTEGER) END AS expires_after,
    CASE WHEN CAST(TRY_CAST(raw.created AS TIMESTAMP) AS VARCHAR) = raw.created AND raw.created LIKE '____-__-__ __:%' THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.created, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS created,
    CASE WHEN CAST(TRY_CAST(raw.modified AS TIMESTAMP) AS VARCHAR) = raw.modified AND raw.modified LIKE '____-__-__ __:%' THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.modified, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS modified,
    CAST(0 AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('retainer_id', 'project_id', 'phase_id', 'start_date', 'end_date', 'unit', 'every', 'counts', 'rollover', 'first', 'recognise', 'overage', 'expires_after', 'created', 'modified', 'amounts'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR retainer_id IS NULL
      OR project_id IS NULL
      OR (phase_id IS NULL AND raw.phase_id NOT IN ('', '0'))
      OR start_date IS NULL
      OR (end_date IS NULL AND raw.end_date <> '')
      OR (unit IS NULL AND raw.unit <> '')
      OR (every IS NULL AND raw.every <> '')
      OR (counts IS NULL AND raw.counts <> '')
      OR (rollover IS NULL AND raw.rollover <> '')
      OR (first IS NULL AND raw.first <> '')
      OR (recognise IS NULL AND raw.recognise <> '')
      OR (overage IS NULL AND raw.overage <> '')
      OR (expires_after IS NULL AND raw.expires_after <> '')
      OR (created IS NULL AND raw.created <> '')
      OR (modified IS NULL AND raw.modified <> '')
      OR (retainer_id < 0)
      OR (project_id < 0)
      OR (phase_id < 0)
      OR (start_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (end_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (NOT list_contains(['hours', 'fee'], unit))
      OR (NOT list_contains(['month', 'week', 'quarter', 'year'], every))
      OR (NOT list_contains(['billable', 'all'], counts))
      OR (NOT list_contains(['none', 'surplus', 'deficit', 'both'], rollover))
      OR (NOT list_contains(['whole', 'by_days'], first))
      OR (NOT list_contains(['evenly', 'as_used'], recognise))
      OR (NOT list_contains(['free', 'billed'], overage))
      OR (expires_after NOT BETWEEN 1 AND 600)
      OR (raw.amounts <> '' AND NOT (raw.amounts[1] = '[' AND json_valid(raw.amounts)))
      OR (end_date < start_date)
      OR (expires_after IS NOT NULL AND COALESCE(rollover, 'none') NOT IN ('surplus', 'both'))
      OR (end_date >= CASE COALESCE(every, 'month') WHEN 'month' THEN start_date + 600 * INTERVAL '1' MONTH WHEN 'week' THEN start_date + 600 * INTERVAL '7' DAY WHEN 'quarter' THEN start_date + 600 * INTERVAL '3' MONTH WHEN 'year' THEN start_date + 600 * INTERVAL '1' YEAR END)
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.retainer_id IS NULL OR regexp_full_match(raw.retainer_id, '(0+([.]0*)?)?') THEN 'retainer_id: missing'
          WHEN retainer_id IS NULL THEN 'retainer_id: not an id'
          WHEN retainer_id < 0 THEN 'retainer_id: not an id' END,
        CASE WHEN raw.project_id IS NULL OR regexp_full_match(raw.project_id, '(0+([.]0*)?)?') THEN 'project_id: missing'
          WHEN project_id IS NULL THEN 'project_id: not an id'
          WHEN project_id < 0 THEN 'project_id: not an id' END,
        CASE WHEN raw.phase_id IS NULL OR regexp_full_match(raw.phase_id, '(0+([.]0*)?)?') THEN NULL
          WHEN phase_id IS NULL THEN 'phase_id: not an id'
          WHEN phase_id < 0 THEN 'phase_id: not an id' END,
        CASE WHEN raw.start_date IS NULL OR raw.start_date = '' THEN 'start_date: missing'
          WHEN start_date IS NULL THEN 'start_date: not a day written YYYY-MM-DD'
          WHEN start_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'start_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.end_date IS NULL OR raw.end_date = '' THEN NULL
          WHEN end_date IS NULL THEN 'end_date: not a day written YYYY-MM-DD'
          WHEN end_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'end_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.unit IS NULL OR regexp_replace(raw.unit, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN NULL
          WHEN unit IS NULL THEN 'unit: not a text'
          WHEN NOT list_contains(['hours', 'fee'], unit) THEN 'unit: not one of hours, fee' END,
        CASE WHEN raw.every IS NULL OR regexp_replace(raw.every, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN NULL
          WHEN every IS NULL THEN 'every: not a text'
          WHEN NOT list_contains(['month', 'week', 'quarter', 'year'], every) THEN 'every: not one of month, week, quarter, year' END,
        CASE WHEN raw.counts IS NULL OR regexp_replace(raw.counts, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN NULL
          WHEN counts IS NULL THEN 'counts: not a text'
          WHEN NOT list_contains(['billable', 'all'], counts) THEN 'counts: not one of billable, all' END,
        CASE WHEN raw.rollover IS NULL OR regexp_replace(raw.rollover, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN NULL
          WHEN rollover IS NULL THEN 'rollover: not a text'
          WHEN NOT list_contains(['none', 'surplus', 'deficit', 'both'], rollover) THEN 'rollover: not one of none, surplus, deficit, both' END,
        CASE WHEN raw.first IS NULL OR regexp_replace(raw.first, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN NULL
          WHEN first IS NULL THEN 'first: not a text'
          WHEN NOT list_contains(['whole', 'by_days'], first) THEN 'first: not one of whole, by_days' END,
        CASE WHEN raw.recognise IS NULL OR regexp_replace(raw.recognise, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN NULL
          WHEN recognise IS NULL THEN 'recognise: not a text'
          WHEN NOT list_contains(['evenly', 'as_used'], recognise) THEN 'recognise: not one of evenly, as_used' END,
        CASE WHEN raw.overage IS NULL OR regexp_replace(raw.overage, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN NULL
          WHEN overage IS NULL THEN 'overage: not a text'
          WHEN NOT list_contains(['free', 'billed'], overage) THEN 'overage: not one of free, billed' END,
        CASE WHEN raw.expires_after IS NULL OR raw.expires_after = '' THEN NULL
          WHEN expires_after IS NULL THEN 'expires_after: not an integer'
          WHEN expires_after NOT BETWEEN 1 AND 600 THEN 'expires_after: outside 1 to 600' END,
        CASE WHEN raw.created IS NULL OR raw.created = '' THEN NULL
          WHEN created IS NULL THEN 'created: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.modified IS NULL OR raw.modified = '' THEN NULL
          WHEN modified IS NULL THEN 'modified: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.amounts <> '' AND NOT (CASE WHEN raw.amounts[1] = '[' THEN CASE WHEN json_valid(raw.amounts) THEN from_json(raw.amounts, '["JSON"]') END
    WHEN raw.amounts[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.amounts, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END IS NOT NULL) THEN 'amounts: not a list' END,
        CASE WHEN end_date < start_date THEN 'end_date is before start_date' END,
        CASE WHEN expires_after IS NOT NULL AND COALESCE(rollover, 'none') NOT IN ('surplus', 'both') THEN 'expires_after is given, and rollover is neither surplus nor both' END,
        CASE WHEN end_date >= CASE COALESCE(every, 'month') WHEN 'month' THEN start_date + 600 * INTERVAL '1' MONTH WHEN 'week' THEN start_date + 600 * INTERVAL '7' DAY WHEN 'quarter' THEN start_date + 600 * INTERVAL '3' MONTH WHEN 'year' THEN start_date + 600 * INTERVAL '1' YEAR END THEN 'end_date is more than 600 periods after start_date' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT retainer_id, project_id, phase_id, start_date, end_date, unit, every, counts, rollover, first, recognise, overage, expires_after, COALESCE(created, TIMESTAMP '2026-01-01 00:00:00') AS created, COALESCE(modified, TIMESTAMP '2026-01-01 00:00:00') AS modified, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    , 'lists': {'amounts': NULLIF(raw.amounts, '')}
  } AS origin
FROM validated;

WITH list AS (
  SELECT retainer_id, origin.file AS file, rowid AS container_row, CASE WHEN origin.lists.amounts[1] = '[' THEN CASE WHEN json_valid(origin.lists.amounts) THEN from_json(origin.lists.amounts, '["JSON"]') END
    WHEN origin.lists.amounts[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(origin.lists.amounts, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END AS items
  FROM source.retainers
  WHERE origin.lists.amounts IS NOT NULL
), item AS (
  SELECT retainer_id, file, container_row, unnest(range(1, len(items) + 1)) AS position, unnest(items) AS json
  FROM list
), record AS (
  SELECT * REPLACE (COALESCE(json, 'null') AS json), CAST(NULL AS VARCHAR) AS problem, from_json(json, '{"amount":"VARCHAR","price":"VARCHAR","effective_date":"VARCHAR"}') AS raw
  FROM item
), exact AS (
  SELECT *, CASE WHEN raw.amount IS NULL OR raw.amount = '' THEN NULL
    WHEN regexp_full_match(raw.amount, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.amount
    WHEN json_type(json, '$."amount"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.amount, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.amount END
    WHEN abs(TRY_CAST(raw.amount AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.amount AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.amount AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.amount AS DOUBLE))
    WHEN regexp_matches(raw.amount, '^-?[0-9]') THEN raw.amount -- a number beyond every range, such as 1e400
  END AS amount_text,
    CASE WHEN raw.price IS NULL OR raw.price = '' THEN NULL
    WHEN regexp_full_match(raw.price, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.price
    WHEN json_type(json, '$."price"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.price, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.price END
    WHEN abs(TRY_CAST(raw.price AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.price AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.price AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.price AS DOUBLE))
    WHEN regexp_matches(raw.price, '^-?[0-9]') THEN raw.price -- a number beyond every range, such as 1e400
  END AS price_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    TRY_CAST(amount_text AS DECIMAL(18,4)) AS amount,
    TRY_CAST(price_text AS DECIMAL(18,4)) AS price,
    CASE WHEN CAST(TRY_CAST(raw.effective_date AS DATE) AS VARCHAR) = raw.effective_date THEN TRY_CAST(raw.effective_date AS DATE) END AS effective_date,
    CAST(CASE WHEN length(amount_text) > 5 THEN CASE WHEN regexp_matches(amount_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END + CASE WHEN length(price_text) > 5 THEN CASE WHEN regexp_matches(price_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('amount', 'price', 'effective_date'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR amount IS NULL
      OR (price IS NULL AND raw.price <> '')
      OR (effective_date IS NULL AND raw.effective_date <> '')
      OR (amount < 0)
      OR (amount >= 100000000000)
      OR (price < 0)
      OR (price >= 100000000000)
      OR (effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.amount IS NULL OR raw.amount = '' THEN 'amount: missing'
          WHEN amount IS NULL THEN CASE WHEN amount_text IS NULL THEN 'amount: not a number' ELSE CASE WHEN amount_text LIKE '-%' THEN 'amount: below 0' ELSE 'amount: not below 100000000000' END END
          WHEN amount < 0 THEN 'amount: below 0' WHEN amount >= 100000000000 THEN 'amount: not below 100000000000' END,
        CASE WHEN raw.price IS NULL OR raw.price = '' THEN NULL
          WHEN price IS NULL THEN CASE WHEN price_text IS NULL THEN 'price: not a number' ELSE CASE WHEN price_text LIKE '-%' THEN 'price: below 0' ELSE 'price: not below 100000000000' END END
          WHEN price < 0 THEN 'price: below 0' WHEN price >= 100000000000 THEN 'price: not below 100000000000' END,
        CASE WHEN raw.effective_date IS NULL OR raw.effective_date = '' THEN NULL
          WHEN effective_date IS NULL THEN 'effective_date: not a day written YYYY-MM-DD'
          WHEN effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'effective_date: outside 1970-01-01 to 2099-12-31' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT retainer_id, CAST(position AS INTEGER) AS position, amount, price, effective_date, {
    'file': file, 'container_row': container_row, 'rounded': rounded, 'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CAST(json AS VARCHAR) END, 'left_out': left_out}) AS VARCHAR) END
  } AS origin
FROM validated;
