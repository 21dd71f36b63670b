WITH record AS (
  SELECT *, from_json(json, '{"holiday_id":"VARCHAR","id":"VARCHAR","name":"VARCHAR","date":"VARCHAR","end_date":"VARCHAR","region_id":"VARCHAR","region":"VARCHAR","region_name":"VARCHAR","created":"VARCHAR","modified":"VARCHAR","dates":"VARCHAR"}') AS raw
  FROM (
  FROM given
  )
), exact AS (
  SELECT *, json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(COALESCE(NULLIF(raw.holiday_id, ''), NULLIF(raw.id, '')) AS BIGINT) AS VARCHAR) = COALESCE(NULLIF(raw.holiday_id, ''), NULLIF(raw.id, '')) THEN TRY_CAST(COALESCE(NULLIF(raw.holiday_id, ''), NULLIF(raw.id, '')) AS BIGINT)
      WHEN regexp_full_match(COALESCE(NULLIF(raw.holiday_id, ''), NULLIF(raw.id, '')), '-?[0-9]+([.]0*)?') THEN TRY_CAST(COALESCE(NULLIF(raw.holiday_id, ''), NULLIF(raw.id, '')) AS BIGINT) END, 0) AS holiday_id,
    CASE WHEN raw.name LIKE '{%' OR raw.name LIKE '[%' OR raw.name IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."name"') = 'VARCHAR' THEN raw.name END ELSE raw.name END AS name,
    CASE WHEN CAST(TRY_CAST(raw.date AS DATE) AS VARCHAR) = raw.date THEN TRY_CAST(raw.date AS DATE) END AS date,
    CASE WHEN CAST(TRY_CAST(raw.end_date AS DATE) AS VARCHAR) = raw.end_date THEN TRY_CAST(raw.end_date AS DATE) END AS end_date,
    NULLIF(CASE WHEN CAST(TRY_CAST(COALESCE(NULLIF(raw.region_id, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."region_id"') END, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."id"') END, ''), NULLIF(raw.region, '')) AS BIGINT) AS VARCHAR) = COALESCE(NULLIF(raw.region_id, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."region_id"') END, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."id"') END, ''), NULLIF(raw.region, '')) THEN TRY_CAST(COALESCE(NULLIF(raw.region_id, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."region_id"') END, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."id"') END, ''), NULLIF(raw.region, '')) AS BIGINT)
      WHEN regexp_full_match(COALESCE(NULLIF(raw.region_id, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."region_id"') END, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."id"') END, ''), NULLIF(raw.region, '')), '-?[0-9]+([.]0*)?') THEN TRY_CAST(COALESCE(NULLIF(raw.region_id, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."region_id"') END, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."id"') END, ''), NULLIF(raw.region, '')) AS BIGINT) END, 0) AS region_id,
    CASE WHEN COALESCE(NULLIF(raw.region_name, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END, ''), raw.region_name, CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END) LIKE '{%' OR COALESCE(NULLIF(raw.region_name, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END, ''), raw.region_name, CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END) LIKE '[%' OR COALESCE(NULLIF(raw.region_name, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END, ''), raw.region_name, CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END) IN ('true', 'false')
      THEN CASE WHEN COALESCE(NULLIF(json_type(json, '$."region_name"'), 'NULL'), NULLIF(json_type(json, '$."region"."name"'), 'NULL')) = 'VARCHAR' THEN COALESCE(NULLIF(raw.region_name, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END, ''), raw.region_name, CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END) END ELSE COALESCE(NULLIF(raw.region_name, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END, ''), raw.region_name, CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END) END AS region_name,
    CASE WHEN CAST(TRY_CAST(raw.created AS TIMESTAMP) AS VARCHAR) = raw.created AND raw.created LIKE '____-__-__ __:%' THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.created, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS created,
    CASE WHEN CAST(TRY_CAST(raw.modified AS TIMESTAMP) AS VARCHAR) = raw.modified AND raw.modified LIKE '____-__-__ __:%' THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.modified, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS modified,
    COALESCE(len(list_filter(CASE WHEN raw.dates[1] = '[' THEN CASE WHEN json_valid(raw.dates) THEN from_json(raw.dates, '["JSON"]') END
    WHEN raw.dates[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.dates, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END, lambda i: CASE WHEN CAST(TRY_CAST(json_extract_string(i, '$') AS DATE) AS VARCHAR) = json_extract_string(i, '$') THEN TRY_CAST(json_extract_string(i, '$') AS DATE) END IS NOT NULL AND NOT (CASE WHEN CAST(TRY_CAST(json_extract_string(i, '$') AS DATE) AS VARCHAR) = json_extract_string(i, '$') THEN TRY_CAST(json_extract_string(i, '$') AS DATE) END NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31'))) > 0, FALSE) AS has_dates,
    CAST(0 AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('holiday_id', 'id', 'name', 'date', 'end_date', 'region_id', 'region', 'region_name', 'created', 'modified', 'dates'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR holiday_id IS NULL
      OR (name IS NULL AND raw.name <> '')
      OR (date IS NULL AND raw.date <> '')
      OR (end_date IS NULL AND raw.end_date <> '')
      OR (region_id IS NULL AND COALESCE(NULLIF(raw.region_id, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."region_id"') END, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."id"') END, ''), NULLIF(raw.region, '')) NOT IN ('', '0'))
      OR (region_name IS NULL AND COALESCE(NULLIF(raw.region_name, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END, ''), raw.region_name, CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END) <> '')
      OR (created IS NULL AND raw.created <> '')
      OR (modified IS NULL AND raw.modified <> '')
      OR (holiday_id < 0)
      OR (contains(name, chr(0)))
      OR (date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (end_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (region_id < 0)
      OR (contains(region_name, chr(0)))
      OR (raw.dates <> '' AND NOT (raw.dates[1] = '[' AND json_valid(raw.dates)))
      OR (end_date < date)
      OR (date IS NULL AND NOT has_dates)
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN COALESCE(NULLIF(raw.holiday_id, ''), NULLIF(raw.id, '')) IS NULL OR regexp_full_match(COALESCE(NULLIF(raw.holiday_id, ''), NULLIF(raw.id, '')), '(0+([.]0*)?)?') THEN 'holiday_id: missing'
          WHEN holiday_id IS NULL THEN 'holiday_id: not an id'
          WHEN holiday_id < 0 THEN 'holiday_id: not an id' END,
        CASE WHEN raw.name IS NULL OR raw.name = '' THEN NULL
          WHEN name IS NULL THEN 'name: not a text'
          WHEN contains(name, chr(0)) THEN 'name: it contains the character U+0000' END,
        CASE WHEN raw.date IS NULL OR raw.date = '' THEN NULL
          WHEN date IS NULL THEN 'date: not a day written YYYY-MM-DD'
          WHEN date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.end_date IS NULL OR raw.end_date = '' THEN NULL
          WHEN end_date IS NULL THEN 'end_date: not a day written YYYY-MM-DD'
          WHEN end_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'end_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN COALESCE(NULLIF(raw.region_id, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."region_id"') END, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."id"') END, ''), NULLIF(raw.region, '')) IS NULL OR regexp_full_match(COALESCE(NULLIF(raw.region_id, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."region_id"') END, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."id"') END, ''), NULLIF(raw.region, '')), '(0+([.]0*)?)?') THEN NULL
          WHEN region_id IS NULL THEN 'region_id: not an id'
          WHEN region_id < 0 THEN 'region_id: not an id' END,
        CASE WHEN COALESCE(NULLIF(raw.region_name, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END, ''), raw.region_name, CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END) IS NULL OR COALESCE(NULLIF(raw.region_name, ''), NULLIF(CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END, ''), raw.region_name, CASE WHEN raw.region[1] = '{' AND json_valid(raw.region) THEN json_extract_string(raw.region, '$."name"') END) = '' THEN NULL
          WHEN region_name IS NULL THEN 'region_name: not a text'
          WHEN contains(region_name, chr(0)) THEN 'region_name: it contains the character U+0000' END,
        CASE WHEN raw.created IS NULL OR raw.created = '' THEN NULL
          WHEN created IS NULL THEN 'created: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.modified IS NULL OR raw.modified = '' THEN NULL
          WHEN modified IS NULL THEN 'modified: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.dates <> '' AND NOT (CASE WHEN raw.dates[1] = '[' THEN CASE WHEN json_valid(raw.dates) THEN from_json(raw.dates, '["JSON"]') END
    WHEN raw.dates[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.dates, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END IS NOT NULL) THEN 'dates: not a list' END,
        CASE WHEN end_date < date THEN 'end_date is before date' END,
        CASE WHEN date IS NULL AND NOT has_dates THEN 'date is missing, and dates is empty' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT holiday_id, name, date, end_date, region_id, region_name, COALESCE(created, TIMESTAMP '2026-01-01 00:00:00') AS created, COALESCE(modified, TIMESTAMP '2026-01-01 00:00:00') AS modified, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    , 'lists': {'dates': NULLIF(raw.dates, '')}
  } AS origin
FROM validated;

WITH list AS (
  SELECT holiday_id, origin.file AS file, rowid AS container_row, CASE WHEN origin.lists.dates[1] = '[' THEN CASE WHEN json_valid(origin.lists.dates) THEN from_json(origin.lists.dates, '["JSON"]') END
    WHEN origin.lists.dates[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(origin.lists.dates, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END AS items
  FROM source.holidays
  WHERE origin.lists.dates IS NOT NULL
), item AS (
  SELECT holiday_id, file, container_row, unnest(range(1, len(items) + 1)) AS position, unnest(items) AS json
  FROM list
), record AS (
  SELECT * REPLACE (COALESCE(json, 'null') AS json), CAST(NULL AS VARCHAR) AS problem, {'date': json_extract_string(json, '$')} AS raw
  FROM item
), exact AS (
  SELECT *, CAST(NULL AS VARCHAR[]) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    CASE WHEN CAST(TRY_CAST(raw.date AS DATE) AS VARCHAR) = raw.date THEN TRY_CAST(raw.date AS DATE) END AS date,
    CAST(0 AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: TRUE)) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR date IS NULL
      OR (date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN FALSE THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.date IS NULL OR raw.date = '' THEN 'date: missing'
          WHEN date IS NULL THEN 'date: not a day written YYYY-MM-DD'
          WHEN date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'date: outside 1970-01-01 to 2099-12-31' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT holiday_id, CAST(position AS INTEGER) AS position, date, {
    'file': file, 'container_row': container_row, 'rounded': rounded, 'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CAST(json AS VARCHAR) END, 'left_out': left_out}) AS VARCHAR) END
  } AS origin
FROM validated;
