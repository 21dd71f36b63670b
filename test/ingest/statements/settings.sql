WITH record AS (
  SELECT *, from_json(json, '{"name":"VARCHAR","currency":"VARCHAR","work_days_hours":"VARCHAR","time_zone":"VARCHAR","week_starts_on":"VARCHAR","fiscal_year_starts_in":"VARCHAR"}') AS raw
  FROM (
  FROM given
  )
), exact AS (
  SELECT *, list_transform(CASE WHEN NULLIF(raw.work_days_hours, '')[1] = '[' THEN CASE WHEN json_valid(NULLIF(raw.work_days_hours, '')) THEN from_json(NULLIF(raw.work_days_hours, ''), '["JSON"]') END
    WHEN NULLIF(raw.work_days_hours, '')[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(NULLIF(raw.work_days_hours, ''), ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END, lambda i: CASE WHEN json_extract_string(i, '$') IS NULL OR json_extract_string(i, '$') = '' THEN NULL
    WHEN regexp_full_match(json_extract_string(i, '$'), '[0-9]{1,11}([.][0-9]{1,4})?') THEN json_extract_string(i, '$')
    WHEN json_type(i) = 'VARCHAR' THEN CASE WHEN regexp_full_match(json_extract_string(i, '$'), '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN json_extract_string(i, '$') END
    WHEN abs(TRY_CAST(json_extract_string(i, '$') AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(json_extract_string(i, '$') AS DOUBLE))
    WHEN isfinite(TRY_CAST(json_extract_string(i, '$') AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(json_extract_string(i, '$') AS DOUBLE))
    WHEN regexp_matches(json_extract_string(i, '$'), '^-?[0-9]') THEN json_extract_string(i, '$') -- a number beyond every range, such as 1e400
  END) AS work_days_hours_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    CASE WHEN raw.name LIKE '{%' OR raw.name LIKE '[%' OR raw.name IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."name"') = 'VARCHAR' THEN raw.name END ELSE raw.name END AS name,
    NULLIF(CASE WHEN raw.currency LIKE '{%' OR raw.currency LIKE '[%' OR raw.currency IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."currency"') = 'VARCHAR' THEN raw.currency END ELSE raw.currency END, '') AS currency,
    TRY_CAST(work_days_hours_text AS DECIMAL(10,6)[]) AS work_days_hours,
    NULLIF(CASE WHEN raw.time_zone LIKE '{%' OR raw.time_zone LIKE '[%' OR raw.time_zone IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."time_zone"') = 'VARCHAR' THEN raw.time_zone END ELSE raw.time_zone END, '') AS time_zone,
    CASE WHEN CAST(TRY_CAST(raw.week_starts_on AS INTEGER) AS VARCHAR) = raw.week_starts_on THEN TRY_CAST(raw.week_starts_on AS INTEGER)
      WHEN regexp_full_match(raw.week_starts_on, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.week_starts_on AS INTEGER) END AS week_starts_on,
    CASE WHEN CAST(TRY_CAST(raw.fiscal_year_starts_in AS INTEGER) AS VARCHAR) = raw.fiscal_year_starts_in THEN TRY_CAST(raw.fiscal_year_starts_in AS INTEGER)
      WHEN regexp_full_match(raw.fiscal_year_starts_in, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.fiscal_year_starts_in AS INTEGER) END AS fiscal_year_starts_in,
    CAST(COALESCE(len(list_filter(work_days_hours_text, lambda d: regexp_matches(d, '[.][0-9]{6}[0-9]*[1-9]'))), 0) AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('name', 'currency', 'work_days_hours', 'time_zone', 'week_starts_on', 'fiscal_year_starts_in'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR json_type(json) IS DISTINCT FROM 'OBJECT'
      OR (name IS NULL AND raw.name <> '')
      OR (currency IS NULL AND raw.currency <> '')
      OR (work_days_hours IS NULL AND raw.work_days_hours <> '')
      OR (time_zone IS NULL AND raw.time_zone <> '')
      OR (week_starts_on IS NULL AND raw.week_starts_on <> '')
      OR (fiscal_year_starts_in IS NULL AND raw.fiscal_year_starts_in <> '')
      OR (contains(name, chr(0)))
      OR (contains(currency, chr(0)))
      OR (len(work_days_hours) <> 7 OR len(list_filter(work_days_hours, lambda h: h BETWEEN 0 AND 24)) <> 7)
      OR (contains(time_zone, chr(0)))
      OR (week_starts_on NOT BETWEEN 0 AND 6)
      OR (fiscal_year_starts_in NOT BETWEEN 1 AND 12)
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.name IS NULL OR raw.name = '' THEN NULL
          WHEN name IS NULL THEN 'name: not a text'
          WHEN contains(name, chr(0)) THEN 'name: it contains the character U+0000' END,
        CASE WHEN raw.currency IS NULL OR raw.currency = '' THEN NULL
          WHEN currency IS NULL THEN 'currency: not a text'
          WHEN contains(currency, chr(0)) THEN 'currency: it contains the character U+0000' END,
        CASE WHEN raw.work_days_hours IS NULL OR raw.work_days_hours = '' THEN NULL
          WHEN work_days_hours IS NULL THEN 'work_days_hours: not 7 numbers from 0 to 24'
          WHEN len(work_days_hours) <> 7 OR len(list_filter(work_days_hours, lambda h: h BETWEEN 0 AND 24)) <> 7 THEN 'work_days_hours: not 7 numbers from 0 to 24' END,
        CASE WHEN raw.time_zone IS NULL OR raw.time_zone = '' THEN NULL
          WHEN time_zone IS NULL THEN 'time_zone: not a text'
          WHEN contains(time_zone, chr(0)) THEN 'time_zone: it contains the character U+0000' END,
        CASE WHEN raw.week_starts_on IS NULL OR raw.week_starts_on = '' THEN NULL
          WHEN week_starts_on IS NULL THEN 'week_starts_on: not an integer'
          WHEN week_starts_on NOT BETWEEN 0 AND 6 THEN 'week_starts_on: outside 0 to 6' END,
        CASE WHEN raw.fiscal_year_starts_in IS NULL OR raw.fiscal_year_starts_in = '' THEN NULL
          WHEN fiscal_year_starts_in IS NULL THEN 'fiscal_year_starts_in: not an integer'
          WHEN fiscal_year_starts_in NOT BETWEEN 1 AND 12 THEN 'fiscal_year_starts_in: outside 1 to 12' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT name, currency, work_days_hours, time_zone, week_starts_on, fiscal_year_starts_in, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    
  } AS origin
FROM validated;
