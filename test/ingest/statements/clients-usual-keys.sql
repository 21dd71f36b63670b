WITH record AS (
  SELECT *, CASE WHEN entry_keys = ['client_id', 'name'] THEN {'client_id': entry_values[1], 'name': entry_values[2], 'created': CAST(NULL AS VARCHAR), 'modified': CAST(NULL AS VARCHAR), 'rate_cards': CAST(NULL AS VARCHAR)} ELSE from_json(json, '{"client_id":"VARCHAR","name":"VARCHAR","created":"VARCHAR","modified":"VARCHAR","rate_cards":"VARCHAR"}') END AS raw
  FROM (
  SELECT *, map_keys(entries) AS entry_keys, map_values(entries) AS entry_values
  FROM (SELECT *, from_json(json, '"MAP(VARCHAR,VARCHAR)"') AS entries FROM (
  FROM given
  ))
  )
), exact AS (
  SELECT *, CASE WHEN entry_keys = ['client_id', 'name'] OR entry_keys = ['name', 'client_id'] THEN NULL ELSE entry_keys END AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.client_id AS BIGINT) AS VARCHAR) = raw.client_id THEN TRY_CAST(raw.client_id AS BIGINT)
      WHEN regexp_full_match(raw.client_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.client_id AS BIGINT) END, 0) AS client_id,
    CASE WHEN raw.name LIKE '{%' OR raw.name LIKE '[%' OR raw.name IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."name"') = 'VARCHAR' THEN raw.name END ELSE raw.name END AS name,
    CASE WHEN CAST(TRY_CAST(raw.created AS TIMESTAMP) AS VARCHAR) = raw.created AND raw.created LIKE '____-__-__ __:%' THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.created, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS created,
    CASE WHEN CAST(TRY_CAST(raw.modified AS TIMESTAMP) AS VARCHAR) = raw.modified AND raw.modified LIKE '____-__-__ __:%' THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.modified, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS modified,
    CAST(NULL AS BIGINT) AS created_by,
    CAST(NULL AS BIGINT) AS modified_by,
    CAST(0 AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('client_id', 'name', 'created', 'modified', 'rate_cards'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR client_id IS NULL
      OR (name IS NULL AND raw.name <> '')
      OR (created IS NULL AND raw.created <> '')
      OR (modified IS NULL AND raw.modified <> '')
      OR (client_id < 0)
      OR (contains(name, chr(0)))
      OR (raw.rate_cards <> '' AND NOT (raw.rate_cards[1] = '[' AND json_valid(raw.rate_cards)))
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.client_id IS NULL OR regexp_full_match(raw.client_id, '(0+([.]0*)?)?') THEN 'client_id: missing'
          WHEN client_id IS NULL THEN 'client_id: not an id'
          WHEN client_id < 0 THEN 'client_id: not an id' END,
        CASE WHEN raw.name IS NULL OR raw.name = '' THEN NULL
          WHEN name IS NULL THEN 'name: not a text'
          WHEN contains(name, chr(0)) THEN 'name: it contains the character U+0000' END,
        CASE WHEN raw.created IS NULL OR raw.created = '' THEN NULL
          WHEN created IS NULL THEN 'created: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.modified IS NULL OR raw.modified = '' THEN NULL
          WHEN modified IS NULL THEN 'modified: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.rate_cards <> '' AND NOT (CASE WHEN raw.rate_cards[1] = '[' THEN CASE WHEN json_valid(raw.rate_cards) THEN from_json(raw.rate_cards, '["JSON"]') END
    WHEN raw.rate_cards[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.rate_cards, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END IS NOT NULL) THEN 'rate_cards: not a list' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT client_id, name, created_by, modified_by, COALESCE(created, TIMESTAMP '2026-01-01 00:00:00') AS created, COALESCE(modified, TIMESTAMP '2026-01-01 00:00:00') AS modified, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    , 'lists': {'rate_cards': NULLIF(raw.rate_cards, '')}
  } AS origin
FROM validated;
