WITH record AS (
  SELECT *, from_json(json, '{"stage_id":"VARCHAR","id":"VARCHAR","name":"VARCHAR","status":"VARCHAR","sort_order":"VARCHAR","description":"VARCHAR","color":"VARCHAR","created_by":"VARCHAR","modified_by":"VARCHAR","created":"VARCHAR","modified":"VARCHAR"}') AS raw
  FROM (
  FROM given
  )
), exact AS (
  SELECT *, json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(COALESCE(NULLIF(raw.stage_id, ''), NULLIF(raw.id, '')) AS BIGINT) AS VARCHAR) = COALESCE(NULLIF(raw.stage_id, ''), NULLIF(raw.id, '')) THEN TRY_CAST(COALESCE(NULLIF(raw.stage_id, ''), NULLIF(raw.id, '')) AS BIGINT)
      WHEN regexp_full_match(COALESCE(NULLIF(raw.stage_id, ''), NULLIF(raw.id, '')), '-?[0-9]+([.]0*)?') THEN TRY_CAST(COALESCE(NULLIF(raw.stage_id, ''), NULLIF(raw.id, '')) AS BIGINT) END, 0) AS stage_id,
    CASE WHEN raw.name LIKE '{%' OR raw.name LIKE '[%' OR raw.name IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."name"') = 'VARCHAR' THEN raw.name END ELSE raw.name END AS name,
    CASE WHEN CAST(TRY_CAST(raw.status AS INTEGER) AS VARCHAR) = raw.status THEN TRY_CAST(raw.status AS INTEGER)
      WHEN regexp_full_match(raw.status, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.status AS INTEGER) END AS status,
    CASE WHEN CAST(TRY_CAST(raw.sort_order AS INTEGER) AS VARCHAR) = raw.sort_order THEN TRY_CAST(raw.sort_order AS INTEGER)
      WHEN regexp_full_match(raw.sort_order, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.sort_order AS INTEGER) END AS sort_order,
    NULLIF(CASE WHEN raw.description LIKE '{%' OR raw.description LIKE '[%' OR raw.description IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."description"') = 'VARCHAR' THEN raw.description END ELSE raw.description END, '') AS description,
    CASE WHEN regexp_full_match(raw.color, '#?[0-9A-Fa-f]{6}') THEN right(raw.color, 6) END AS color,
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
    CAST(0 AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('stage_id', 'id', 'name', 'status', 'sort_order', 'description', 'color', 'created_by', 'modified_by', 'created', 'modified'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR stage_id IS NULL
      OR (name IS NULL AND raw.name <> '')
      OR (status IS NULL AND raw.status <> '')
      OR (sort_order IS NULL AND raw.sort_order <> '')
      OR (description IS NULL AND raw.description <> '')
      OR (created_by IS NULL AND raw.created_by NOT IN ('', '0'))
      OR (modified_by IS NULL AND raw.modified_by NOT IN ('', '0'))
      OR (created IS NULL AND raw.created <> '')
      OR (modified IS NULL AND raw.modified <> '')
      OR (stage_id < 0)
      OR (contains(name, chr(0)))
      OR (NOT list_contains([0, 1, 2, 3, 4], status))
      OR (sort_order NOT BETWEEN -2147483648 AND 2147483647)
      OR (contains(description, chr(0)))
      OR (created_by < 0)
      OR (modified_by < 0)
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN COALESCE(NULLIF(raw.stage_id, ''), NULLIF(raw.id, '')) IS NULL OR regexp_full_match(COALESCE(NULLIF(raw.stage_id, ''), NULLIF(raw.id, '')), '(0+([.]0*)?)?') THEN 'stage_id: missing'
          WHEN stage_id IS NULL THEN 'stage_id: not an id'
          WHEN stage_id < 0 THEN 'stage_id: not an id' END,
        CASE WHEN raw.name IS NULL OR raw.name = '' THEN NULL
          WHEN name IS NULL THEN 'name: not a text'
          WHEN contains(name, chr(0)) THEN 'name: it contains the character U+0000' END,
        CASE WHEN raw.status IS NULL OR raw.status = '' THEN NULL
          WHEN status IS NULL THEN 'status: not one of 0, 1, 2, 3, 4'
          WHEN NOT list_contains([0, 1, 2, 3, 4], status) THEN 'status: not one of 0, 1, 2, 3, 4' END,
        CASE WHEN raw.sort_order IS NULL OR raw.sort_order = '' THEN NULL
          WHEN sort_order IS NULL THEN 'sort_order: not an integer'
          WHEN sort_order NOT BETWEEN -2147483648 AND 2147483647 THEN 'sort_order: outside -2147483648 to 2147483647' END,
        CASE WHEN raw.description IS NULL OR raw.description = '' THEN NULL
          WHEN description IS NULL THEN 'description: not a text'
          WHEN contains(description, chr(0)) THEN 'description: it contains the character U+0000' END,
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
      ], lambda r: r IS NOT NULL), []) END END AS reasons, CASE WHEN (color IS NULL AND raw.color <> '') THEN list_filter([CASE WHEN (color IS NULL AND raw.color <> '') THEN {'field': 'color', 'reason': 'color: not six hexadecimal digits', 'text': raw.color} END], lambda v: v IS NOT NULL) END AS left_out
  FROM value
)
SELECT stage_id, name, status, sort_order, description, color, created_by, modified_by, COALESCE(created, TIMESTAMP '2026-01-01 00:00:00') AS created, COALESCE(modified, TIMESTAMP '2026-01-01 00:00:00') AS modified, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    
  } AS origin
FROM validated;
