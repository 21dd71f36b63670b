WITH record AS (
  SELECT *, from_json(json, '{"account_id":"VARCHAR","name":"VARCHAR","email":"VARCHAR","account_type":"VARCHAR","active":"VARCHAR","department_filter":"VARCHAR","access":"VARCHAR","avatar":"VARCHAR","timezone":"VARCHAR","view_rights":"VARCHAR","edit_rights":"VARCHAR","budget_rights":"VARCHAR","created":"VARCHAR","modified":"VARCHAR"}') AS raw
  FROM (
  FROM given
  )
), exact AS (
  SELECT *, json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.account_id AS BIGINT) AS VARCHAR) = raw.account_id THEN TRY_CAST(raw.account_id AS BIGINT)
      WHEN regexp_full_match(raw.account_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.account_id AS BIGINT) END, 0) AS account_id,
    CASE WHEN raw.name LIKE '{%' OR raw.name LIKE '[%' OR raw.name IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."name"') = 'VARCHAR' THEN raw.name END ELSE raw.name END AS name,
    NULLIF(CASE WHEN raw.email LIKE '{%' OR raw.email LIKE '[%' OR raw.email IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."email"') = 'VARCHAR' THEN raw.email END ELSE raw.email END, '') AS email,
    CASE WHEN CAST(TRY_CAST(raw.account_type AS INTEGER) AS VARCHAR) = raw.account_type THEN TRY_CAST(raw.account_type AS INTEGER)
      WHEN regexp_full_match(raw.account_type, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.account_type AS INTEGER) END AS account_type,
    CASE WHEN raw.active IN ('1', 'true') THEN TRUE WHEN raw.active IN ('0', 'false') THEN FALSE
      WHEN lower(raw.active) IN ('1.0', 'true') THEN TRUE WHEN lower(raw.active) IN ('0.0', 'false') THEN FALSE END AS active,
    list_transform(CASE WHEN NULLIF(raw.department_filter, '')[1] = '[' THEN CASE WHEN json_valid(NULLIF(raw.department_filter, '')) THEN from_json(NULLIF(raw.department_filter, ''), '["JSON"]') END
    WHEN NULLIF(raw.department_filter, '')[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(NULLIF(raw.department_filter, ''), ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END, lambda i: CASE WHEN CAST(TRY_CAST(json_extract_string(i, '$') AS BIGINT) AS VARCHAR) = json_extract_string(i, '$') THEN TRY_CAST(json_extract_string(i, '$') AS BIGINT)
      WHEN regexp_full_match(json_extract_string(i, '$'), '-?[0-9]+([.]0*)?') THEN TRY_CAST(json_extract_string(i, '$') AS BIGINT) END) AS department_filter,
    CASE WHEN raw.access = '' THEN NULL
      WHEN left(raw.access, 1) IN ('[', '{') AND json_valid(raw.access) THEN raw.access
      WHEN json_type(json, '$."access"') = 'VARCHAR' THEN CAST(to_json(raw.access) AS VARCHAR) ELSE raw.access END AS access,
    NULLIF(CASE WHEN raw.avatar LIKE '{%' OR raw.avatar LIKE '[%' OR raw.avatar IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."avatar"') = 'VARCHAR' THEN raw.avatar END ELSE raw.avatar END, '') AS avatar,
    NULLIF(CASE WHEN raw.timezone LIKE '{%' OR raw.timezone LIKE '[%' OR raw.timezone IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."timezone"') = 'VARCHAR' THEN raw.timezone END ELSE raw.timezone END, '') AS timezone,
    CASE WHEN raw.view_rights = '' THEN NULL
      WHEN left(raw.view_rights, 1) IN ('[', '{') AND json_valid(raw.view_rights) THEN raw.view_rights
      WHEN json_type(json, '$."view_rights"') = 'VARCHAR' THEN CAST(to_json(raw.view_rights) AS VARCHAR) ELSE raw.view_rights END AS view_rights,
    CASE WHEN raw.edit_rights = '' THEN NULL
      WHEN left(raw.edit_rights, 1) IN ('[', '{') AND json_valid(raw.edit_rights) THEN raw.edit_rights
      WHEN json_type(json, '$."edit_rights"') = 'VARCHAR' THEN CAST(to_json(raw.edit_rights) AS VARCHAR) ELSE raw.edit_rights END AS edit_rights,
    CASE WHEN raw.budget_rights = '' THEN NULL
      WHEN left(raw.budget_rights, 1) IN ('[', '{') AND json_valid(raw.budget_rights) THEN raw.budget_rights
      WHEN json_type(json, '$."budget_rights"') = 'VARCHAR' THEN CAST(to_json(raw.budget_rights) AS VARCHAR) ELSE raw.budget_rights END AS budget_rights,
    CASE WHEN CAST(TRY_CAST(raw.created AS TIMESTAMP) AS VARCHAR) = raw.created AND raw.created LIKE '____-__-__ __:%' THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.created, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS created,
    CASE WHEN CAST(TRY_CAST(raw.modified AS TIMESTAMP) AS VARCHAR) = raw.modified AND raw.modified LIKE '____-__-__ __:%' THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.modified, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS modified,
    CAST(0 AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('account_id', 'name', 'email', 'account_type', 'active', 'department_filter', 'access', 'avatar', 'timezone', 'view_rights', 'edit_rights', 'budget_rights', 'created', 'modified'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR account_id IS NULL
      OR (name IS NULL AND raw.name <> '')
      OR (email IS NULL AND raw.email <> '')
      OR (account_type IS NULL AND raw.account_type <> '')
      OR (active IS NULL AND raw.active <> '')
      OR (department_filter IS NULL AND raw.department_filter <> '')
      OR (access IS NULL AND raw.access <> '')
      OR (avatar IS NULL AND raw.avatar <> '')
      OR (timezone IS NULL AND raw.timezone <> '')
      OR (view_rights IS NULL AND raw.view_rights <> '')
      OR (edit_rights IS NULL AND raw.edit_rights <> '')
      OR (budget_rights IS NULL AND raw.budget_rights <> '')
      OR (created IS NULL AND raw.created <> '')
      OR (modified IS NULL AND raw.modified <> '')
      OR (account_id < 0)
      OR (contains(name, chr(0)))
      OR (contains(email, chr(0)))
      OR (account_type NOT BETWEEN 0 AND 2147483647)
      OR (len(list_filter(department_filter, lambda i: i > 0)) <> len(department_filter))
      OR (length(access) - length(translate(access, '[{', '')) > 1000)
      OR (contains(avatar, chr(0)))
      OR (contains(timezone, chr(0)))
      OR (length(view_rights) - length(translate(view_rights, '[{', '')) > 1000)
      OR (length(edit_rights) - length(translate(edit_rights, '[{', '')) > 1000)
      OR (length(budget_rights) - length(translate(budget_rights, '[{', '')) > 1000)
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.account_id IS NULL OR regexp_full_match(raw.account_id, '(0+([.]0*)?)?') THEN 'account_id: missing'
          WHEN account_id IS NULL THEN 'account_id: not an id'
          WHEN account_id < 0 THEN 'account_id: not an id' END,
        CASE WHEN raw.name IS NULL OR raw.name = '' THEN NULL
          WHEN name IS NULL THEN 'name: not a text'
          WHEN contains(name, chr(0)) THEN 'name: it contains the character U+0000' END,
        CASE WHEN raw.email IS NULL OR raw.email = '' THEN NULL
          WHEN email IS NULL THEN 'email: not a text'
          WHEN contains(email, chr(0)) THEN 'email: it contains the character U+0000' END,
        CASE WHEN raw.account_type IS NULL OR raw.account_type = '' THEN NULL
          WHEN account_type IS NULL THEN 'account_type: not an integer'
          WHEN account_type NOT BETWEEN 0 AND 2147483647 THEN 'account_type: outside 0 to 2147483647' END,
        CASE WHEN raw.active IS NULL OR raw.active = '' THEN NULL
          WHEN active IS NULL THEN 'active: not true or false'
           END,
        CASE WHEN raw.department_filter IS NULL OR raw.department_filter = '' THEN NULL
          WHEN department_filter IS NULL THEN 'department_filter: not a list of ids'
          WHEN len(list_filter(department_filter, lambda i: i > 0)) <> len(department_filter) THEN 'department_filter: not a list of ids' END,
        CASE WHEN raw.access IS NULL OR raw.access = '' THEN NULL
          WHEN access IS NULL THEN 'access: not a JSON value'
          WHEN length(access) - length(translate(access, '[{', '')) > 1000 THEN 'access: more than 1000 lists and objects' END,
        CASE WHEN raw.avatar IS NULL OR raw.avatar = '' THEN NULL
          WHEN avatar IS NULL THEN 'avatar: not a text'
          WHEN contains(avatar, chr(0)) THEN 'avatar: it contains the character U+0000' END,
        CASE WHEN raw.timezone IS NULL OR raw.timezone = '' THEN NULL
          WHEN timezone IS NULL THEN 'timezone: not a text'
          WHEN contains(timezone, chr(0)) THEN 'timezone: it contains the character U+0000' END,
        CASE WHEN raw.view_rights IS NULL OR raw.view_rights = '' THEN NULL
          WHEN view_rights IS NULL THEN 'view_rights: not a JSON value'
          WHEN length(view_rights) - length(translate(view_rights, '[{', '')) > 1000 THEN 'view_rights: more than 1000 lists and objects' END,
        CASE WHEN raw.edit_rights IS NULL OR raw.edit_rights = '' THEN NULL
          WHEN edit_rights IS NULL THEN 'edit_rights: not a JSON value'
          WHEN length(edit_rights) - length(translate(edit_rights, '[{', '')) > 1000 THEN 'edit_rights: more than 1000 lists and objects' END,
        CASE WHEN raw.budget_rights IS NULL OR raw.budget_rights = '' THEN NULL
          WHEN budget_rights IS NULL THEN 'budget_rights: not a JSON value'
          WHEN length(budget_rights) - length(translate(budget_rights, '[{', '')) > 1000 THEN 'budget_rights: more than 1000 lists and objects' END,
        CASE WHEN raw.created IS NULL OR raw.created = '' THEN NULL
          WHEN created IS NULL THEN 'created: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.modified IS NULL OR raw.modified = '' THEN NULL
          WHEN modified IS NULL THEN 'modified: not a time written YYYY-MM-DD HH:MM:SS'
           END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT account_id, name, email, account_type, active, department_filter, access, avatar, timezone, view_rights, edit_rights, budget_rights, COALESCE(created, TIMESTAMP '2026-01-01 00:00:00') AS created, COALESCE(modified, TIMESTAMP '2026-01-01 00:00:00') AS modified, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    
  } AS origin
FROM validated;
