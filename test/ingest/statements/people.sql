WITH record AS (
  SELECT *, from_json(json, '{"people_id":"VARCHAR","name":"VARCHAR","people_code":"VARCHAR","email":"VARCHAR","job_title":"VARCHAR","department_id":"VARCHAR","department":"VARCHAR","role_id":"VARCHAR","region_id":"VARCHAR","work_days_hours":"VARCHAR","contractor":"VARCHAR","people_type_id":"VARCHAR","start_date":"VARCHAR","end_date":"VARCHAR","active":"VARCHAR","default_hourly_rate":"VARCHAR","cost_rate":"VARCHAR","effective_date":"VARCHAR","notes":"VARCHAR","avatar_file":"VARCHAR","auto_email":"VARCHAR","employee_type":"VARCHAR","created":"VARCHAR","modified":"VARCHAR","contracts":"VARCHAR","bill_rate_history":"VARCHAR","tags":"VARCHAR","work_days_hours_history":"VARCHAR"}') AS raw
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
    CASE WHEN raw.default_hourly_rate IS NULL OR raw.default_hourly_rate = '' THEN NULL
    WHEN regexp_full_match(raw.default_hourly_rate, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.default_hourly_rate
    WHEN json_type(json, '$."default_hourly_rate"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.default_hourly_rate, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.default_hourly_rate END
    WHEN abs(TRY_CAST(raw.default_hourly_rate AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.default_hourly_rate AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.default_hourly_rate AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.default_hourly_rate AS DOUBLE))
    WHEN regexp_matches(raw.default_hourly_rate, '^-?[0-9]') THEN raw.default_hourly_rate -- a number beyond every range, such as 1e400
  END AS default_hourly_rate_text,
    CASE WHEN raw.cost_rate IS NULL OR raw.cost_rate = '' THEN NULL
    WHEN regexp_full_match(raw.cost_rate, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.cost_rate
    WHEN json_type(json, '$."cost_rate"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.cost_rate, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.cost_rate END
    WHEN abs(TRY_CAST(raw.cost_rate AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.cost_rate AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.cost_rate AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.cost_rate AS DOUBLE))
    WHEN regexp_matches(raw.cost_rate, '^-?[0-9]') THEN raw.cost_rate -- a number beyond every range, such as 1e400
  END AS cost_rate_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.people_id AS BIGINT) AS VARCHAR) = raw.people_id THEN TRY_CAST(raw.people_id AS BIGINT)
      WHEN regexp_full_match(raw.people_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.people_id AS BIGINT) END, 0) AS people_id,
    CASE WHEN raw.name LIKE '{%' OR raw.name LIKE '[%' OR raw.name IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."name"') = 'VARCHAR' THEN raw.name END ELSE raw.name END AS name,
    NULLIF(CASE WHEN raw.people_code LIKE '{%' OR raw.people_code LIKE '[%' OR raw.people_code IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."people_code"') = 'VARCHAR' THEN raw.people_code END ELSE raw.people_code END, '') AS people_code,
    NULLIF(CASE WHEN raw.email LIKE '{%' OR raw.email LIKE '[%' OR raw.email IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."email"') = 'VARCHAR' THEN raw.email END ELSE raw.email END, '') AS email,
    CASE WHEN raw.job_title LIKE '{%' OR raw.job_title LIKE '[%' OR raw.job_title IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."job_title"') = 'VARCHAR' THEN raw.job_title END ELSE raw.job_title END AS job_title,
    NULLIF(CASE WHEN CAST(TRY_CAST(COALESCE(NULLIF(raw.department_id, ''), NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."department_id"') END, '')) AS BIGINT) AS VARCHAR) = COALESCE(NULLIF(raw.department_id, ''), NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."department_id"') END, '')) THEN TRY_CAST(COALESCE(NULLIF(raw.department_id, ''), NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."department_id"') END, '')) AS BIGINT)
      WHEN regexp_full_match(COALESCE(NULLIF(raw.department_id, ''), NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."department_id"') END, '')), '-?[0-9]+([.]0*)?') THEN TRY_CAST(COALESCE(NULLIF(raw.department_id, ''), NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."department_id"') END, '')) AS BIGINT) END, 0) AS department_id,
    CASE WHEN COALESCE(NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END, ''), CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END) LIKE '{%' OR COALESCE(NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END, ''), CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END) LIKE '[%' OR COALESCE(NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END, ''), CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END) IN ('true', 'false')
      THEN CASE WHEN COALESCE(NULLIF(json_type(json, '$."department"."name"'), 'NULL')) = 'VARCHAR' THEN COALESCE(NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END, ''), CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END) END ELSE COALESCE(NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END, ''), CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END) END AS department_name,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.role_id AS BIGINT) AS VARCHAR) = raw.role_id THEN TRY_CAST(raw.role_id AS BIGINT)
      WHEN regexp_full_match(raw.role_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.role_id AS BIGINT) END, 0) AS role_id,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.region_id AS BIGINT) AS VARCHAR) = raw.region_id THEN TRY_CAST(raw.region_id AS BIGINT)
      WHEN regexp_full_match(raw.region_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.region_id AS BIGINT) END, 0) AS region_id,
    TRY_CAST(work_days_hours_text AS DECIMAL(10,6)[]) AS work_days_hours,
    CASE WHEN raw.contractor IN ('1', 'true') THEN TRUE WHEN raw.contractor IN ('0', 'false') THEN FALSE
      WHEN lower(raw.contractor) IN ('1.0', 'true') THEN TRUE WHEN lower(raw.contractor) IN ('0.0', 'false') THEN FALSE END AS contractor,
    CASE WHEN CAST(TRY_CAST(raw.people_type_id AS INTEGER) AS VARCHAR) = raw.people_type_id THEN TRY_CAST(raw.people_type_id AS INTEGER)
      WHEN regexp_full_match(raw.people_type_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.people_type_id AS INTEGER) END AS people_type_id,
    CASE WHEN CAST(TRY_CAST(raw.start_date AS DATE) AS VARCHAR) = raw.start_date THEN TRY_CAST(raw.start_date AS DATE) END AS start_date,
    CASE WHEN CAST(TRY_CAST(raw.end_date AS DATE) AS VARCHAR) = raw.end_date THEN TRY_CAST(raw.end_date AS DATE) END AS end_date,
    CASE WHEN raw.active IN ('1', 'true') THEN TRUE WHEN raw.active IN ('0', 'false') THEN FALSE
      WHEN lower(raw.active) IN ('1.0', 'true') THEN TRUE WHEN lower(raw.active) IN ('0.0', 'false') THEN FALSE END AS active,
    TRY_CAST(default_hourly_rate_text AS DECIMAL(18,4)) AS default_hourly_rate,
    TRY_CAST(cost_rate_text AS DECIMAL(18,4)) AS cost_rate,
    CASE WHEN CAST(TRY_CAST(raw.effective_date AS DATE) AS VARCHAR) = raw.effective_date THEN TRY_CAST(raw.effective_date AS DATE) END AS effective_date,
    CASE WHEN raw.notes LIKE '{%' OR raw.notes LIKE '[%' OR raw.notes IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."notes"') = 'VARCHAR' THEN raw.notes END ELSE raw.notes END AS notes,
    NULLIF(CASE WHEN raw.avatar_file LIKE '{%' OR raw.avatar_file LIKE '[%' OR raw.avatar_file IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."avatar_file"') = 'VARCHAR' THEN raw.avatar_file END ELSE raw.avatar_file END, '') AS avatar_file,
    COALESCE(CASE WHEN CAST(TRY_CAST(raw.auto_email AS INTEGER) AS VARCHAR) = raw.auto_email THEN TRY_CAST(raw.auto_email AS INTEGER)
      WHEN regexp_full_match(raw.auto_email, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.auto_email AS INTEGER) END, CASE lower(raw.auto_email) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END) AS auto_email,
    COALESCE(CASE WHEN CAST(TRY_CAST(raw.employee_type AS INTEGER) AS VARCHAR) = raw.employee_type THEN TRY_CAST(raw.employee_type AS INTEGER)
      WHEN regexp_full_match(raw.employee_type, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.employee_type AS INTEGER) END, CASE lower(raw.employee_type) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END) AS employee_type,
    CASE WHEN CAST(TRY_CAST(raw.created AS TIMESTAMP) AS VARCHAR) = raw.created AND raw.created LIKE '____-__-__ __:%' THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.created AS TIMESTAMP)
      WHEN regexp_full_match(raw.created, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.created, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS created,
    CASE WHEN CAST(TRY_CAST(raw.modified AS TIMESTAMP) AS VARCHAR) = raw.modified AND raw.modified LIKE '____-__-__ __:%' THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?') THEN TRY_CAST(raw.modified AS TIMESTAMP)
      WHEN regexp_full_match(raw.modified, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}(:?[0-5][0-9])?)') THEN TRY_CAST(regexp_replace(raw.modified, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\1:00\2') AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END AS modified,
    CAST(COALESCE(len(list_filter(work_days_hours_text, lambda d: regexp_matches(d, '[.][0-9]{6}[0-9]*[1-9]'))), 0) + CASE WHEN length(default_hourly_rate_text) > 5 THEN CASE WHEN regexp_matches(default_hourly_rate_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END + CASE WHEN length(cost_rate_text) > 5 THEN CASE WHEN regexp_matches(cost_rate_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('people_id', 'name', 'people_code', 'email', 'job_title', 'department_id', 'department', 'role_id', 'region_id', 'work_days_hours', 'contractor', 'people_type_id', 'start_date', 'end_date', 'active', 'default_hourly_rate', 'cost_rate', 'effective_date', 'notes', 'avatar_file', 'auto_email', 'employee_type', 'created', 'modified', 'contracts', 'bill_rate_history', 'tags', 'work_days_hours_history'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR people_id IS NULL
      OR (name IS NULL AND raw.name <> '')
      OR (people_code IS NULL AND raw.people_code <> '')
      OR (email IS NULL AND raw.email <> '')
      OR (job_title IS NULL AND raw.job_title <> '')
      OR (department_id IS NULL AND COALESCE(NULLIF(raw.department_id, ''), NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."department_id"') END, '')) NOT IN ('', '0'))
      OR (department_name IS NULL AND COALESCE(NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END, ''), CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END) <> '')
      OR (role_id IS NULL AND raw.role_id NOT IN ('', '0'))
      OR (region_id IS NULL AND raw.region_id NOT IN ('', '0'))
      OR (work_days_hours IS NULL AND raw.work_days_hours <> '')
      OR (contractor IS NULL AND raw.contractor <> '')
      OR (people_type_id IS NULL AND raw.people_type_id <> '')
      OR (start_date IS NULL AND raw.start_date <> '')
      OR (end_date IS NULL AND raw.end_date <> '')
      OR (active IS NULL AND raw.active <> '')
      OR (default_hourly_rate IS NULL AND raw.default_hourly_rate <> '')
      OR (cost_rate IS NULL AND raw.cost_rate <> '')
      OR (effective_date IS NULL AND raw.effective_date <> '')
      OR (notes IS NULL AND raw.notes <> '')
      OR (avatar_file IS NULL AND raw.avatar_file <> '')
      OR (auto_email IS NULL AND raw.auto_email <> '')
      OR (employee_type IS NULL AND raw.employee_type <> '')
      OR (created IS NULL AND raw.created <> '')
      OR (modified IS NULL AND raw.modified <> '')
      OR (people_id < 0)
      OR (contains(name, chr(0)))
      OR (contains(people_code, chr(0)))
      OR (contains(email, chr(0)))
      OR (contains(job_title, chr(0)))
      OR (department_id < 0)
      OR (contains(department_name, chr(0)))
      OR (role_id < 0)
      OR (region_id < 0)
      OR (len(work_days_hours) <> 7 OR len(list_filter(work_days_hours, lambda h: h BETWEEN 0 AND 24)) <> 7)
      OR (NOT list_contains([1, 2, 3, 4], people_type_id))
      OR (start_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (end_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (default_hourly_rate < 0)
      OR (default_hourly_rate >= 1000000000000)
      OR (cost_rate < 0)
      OR (cost_rate >= 1000000000000)
      OR (effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (contains(notes, chr(0)))
      OR (contains(avatar_file, chr(0)))
      OR (raw.contracts <> '' AND NOT (raw.contracts[1] = '[' AND json_valid(raw.contracts)))
      OR (raw.bill_rate_history <> '' AND NOT (raw.bill_rate_history[1] = '[' AND json_valid(raw.bill_rate_history)))
      OR (raw.tags <> '' AND NOT (raw.tags[1] = '[' AND json_valid(raw.tags)))
      OR (raw.work_days_hours_history <> '' AND NOT (raw.work_days_hours_history[1] = '{' AND json_valid(raw.work_days_hours_history)))
      OR (raw.department <> '' AND NOT (raw.department[1] = '{' AND json_valid(raw.department)))
      OR (end_date < start_date)
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.people_id IS NULL OR regexp_full_match(raw.people_id, '(0+([.]0*)?)?') THEN 'people_id: missing'
          WHEN people_id IS NULL THEN 'people_id: not an id'
          WHEN people_id < 0 THEN 'people_id: not an id' END,
        CASE WHEN raw.name IS NULL OR raw.name = '' THEN NULL
          WHEN name IS NULL THEN 'name: not a text'
          WHEN contains(name, chr(0)) THEN 'name: it contains the character U+0000' END,
        CASE WHEN raw.people_code IS NULL OR raw.people_code = '' THEN NULL
          WHEN people_code IS NULL THEN 'people_code: not a text'
          WHEN contains(people_code, chr(0)) THEN 'people_code: it contains the character U+0000' END,
        CASE WHEN raw.email IS NULL OR raw.email = '' THEN NULL
          WHEN email IS NULL THEN 'email: not a text'
          WHEN contains(email, chr(0)) THEN 'email: it contains the character U+0000' END,
        CASE WHEN raw.job_title IS NULL OR raw.job_title = '' THEN NULL
          WHEN job_title IS NULL THEN 'job_title: not a text'
          WHEN contains(job_title, chr(0)) THEN 'job_title: it contains the character U+0000' END,
        CASE WHEN COALESCE(NULLIF(raw.department_id, ''), NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."department_id"') END, '')) IS NULL OR regexp_full_match(COALESCE(NULLIF(raw.department_id, ''), NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."department_id"') END, '')), '(0+([.]0*)?)?') THEN NULL
          WHEN department_id IS NULL THEN 'department_id: not an id'
          WHEN department_id < 0 THEN 'department_id: not an id' END,
        CASE WHEN COALESCE(NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END, ''), CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END) IS NULL OR COALESCE(NULLIF(CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END, ''), CASE WHEN raw.department[1] = '{' AND json_valid(raw.department) THEN json_extract_string(raw.department, '$."name"') END) = '' THEN NULL
          WHEN department_name IS NULL THEN 'department_name: not a text'
          WHEN contains(department_name, chr(0)) THEN 'department_name: it contains the character U+0000' END,
        CASE WHEN raw.role_id IS NULL OR regexp_full_match(raw.role_id, '(0+([.]0*)?)?') THEN NULL
          WHEN role_id IS NULL THEN 'role_id: not an id'
          WHEN role_id < 0 THEN 'role_id: not an id' END,
        CASE WHEN raw.region_id IS NULL OR regexp_full_match(raw.region_id, '(0+([.]0*)?)?') THEN NULL
          WHEN region_id IS NULL THEN 'region_id: not an id'
          WHEN region_id < 0 THEN 'region_id: not an id' END,
        CASE WHEN raw.work_days_hours IS NULL OR raw.work_days_hours = '' THEN NULL
          WHEN work_days_hours IS NULL THEN 'work_days_hours: not 7 numbers from 0 to 24'
          WHEN len(work_days_hours) <> 7 OR len(list_filter(work_days_hours, lambda h: h BETWEEN 0 AND 24)) <> 7 THEN 'work_days_hours: not 7 numbers from 0 to 24' END,
        CASE WHEN raw.contractor IS NULL OR raw.contractor = '' THEN NULL
          WHEN contractor IS NULL THEN 'contractor: not true or false'
           END,
        CASE WHEN raw.people_type_id IS NULL OR raw.people_type_id = '' THEN NULL
          WHEN people_type_id IS NULL THEN 'people_type_id: not one of 1, 2, 3, 4'
          WHEN NOT list_contains([1, 2, 3, 4], people_type_id) THEN 'people_type_id: not one of 1, 2, 3, 4' END,
        CASE WHEN raw.start_date IS NULL OR raw.start_date = '' THEN NULL
          WHEN start_date IS NULL THEN 'start_date: not a day written YYYY-MM-DD'
          WHEN start_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'start_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.end_date IS NULL OR raw.end_date = '' THEN NULL
          WHEN end_date IS NULL THEN 'end_date: not a day written YYYY-MM-DD'
          WHEN end_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'end_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.active IS NULL OR raw.active = '' THEN NULL
          WHEN active IS NULL THEN 'active: not true or false'
           END,
        CASE WHEN raw.default_hourly_rate IS NULL OR raw.default_hourly_rate = '' THEN NULL
          WHEN default_hourly_rate IS NULL THEN CASE WHEN default_hourly_rate_text IS NULL THEN 'default_hourly_rate: not a number' ELSE CASE WHEN default_hourly_rate_text LIKE '-%' THEN 'default_hourly_rate: below 0' ELSE 'default_hourly_rate: not below 1000000000000' END END
          WHEN default_hourly_rate < 0 THEN 'default_hourly_rate: below 0' WHEN default_hourly_rate >= 1000000000000 THEN 'default_hourly_rate: not below 1000000000000' END,
        CASE WHEN raw.cost_rate IS NULL OR raw.cost_rate = '' THEN NULL
          WHEN cost_rate IS NULL THEN CASE WHEN cost_rate_text IS NULL THEN 'cost_rate: not a number' ELSE CASE WHEN cost_rate_text LIKE '-%' THEN 'cost_rate: below 0' ELSE 'cost_rate: not below 1000000000000' END END
          WHEN cost_rate < 0 THEN 'cost_rate: below 0' WHEN cost_rate >= 1000000000000 THEN 'cost_rate: not below 1000000000000' END,
        CASE WHEN raw.effective_date IS NULL OR raw.effective_date = '' THEN NULL
          WHEN effective_date IS NULL THEN 'effective_date: not a day written YYYY-MM-DD'
          WHEN effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'effective_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.notes IS NULL OR raw.notes = '' THEN NULL
          WHEN notes IS NULL THEN 'notes: not a text'
          WHEN contains(notes, chr(0)) THEN 'notes: it contains the character U+0000' END,
        CASE WHEN raw.avatar_file IS NULL OR raw.avatar_file = '' THEN NULL
          WHEN avatar_file IS NULL THEN 'avatar_file: not a text'
          WHEN contains(avatar_file, chr(0)) THEN 'avatar_file: it contains the character U+0000' END,
        CASE WHEN raw.auto_email IS NULL OR raw.auto_email = '' THEN NULL
          WHEN auto_email IS NULL THEN 'auto_email: not an integer'
           END,
        CASE WHEN raw.employee_type IS NULL OR raw.employee_type = '' THEN NULL
          WHEN employee_type IS NULL THEN 'employee_type: not an integer'
           END,
        CASE WHEN raw.created IS NULL OR raw.created = '' THEN NULL
          WHEN created IS NULL THEN 'created: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.modified IS NULL OR raw.modified = '' THEN NULL
          WHEN modified IS NULL THEN 'modified: not a time written YYYY-MM-DD HH:MM:SS'
           END,
        CASE WHEN raw.contracts <> '' AND NOT (CASE WHEN raw.contracts[1] = '[' THEN CASE WHEN json_valid(raw.contracts) THEN from_json(raw.contracts, '["JSON"]') END
    WHEN raw.contracts[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.contracts, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END IS NOT NULL) THEN 'contracts: not a list' END,
        CASE WHEN raw.bill_rate_history <> '' AND NOT (CASE WHEN raw.bill_rate_history[1] = '[' THEN CASE WHEN json_valid(raw.bill_rate_history) THEN from_json(raw.bill_rate_history, '["JSON"]') END
    WHEN raw.bill_rate_history[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.bill_rate_history, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END IS NOT NULL) THEN 'bill_rate_history: not a list' END,
        CASE WHEN raw.tags <> '' AND NOT (CASE WHEN raw.tags[1] = '[' THEN CASE WHEN json_valid(raw.tags) THEN from_json(raw.tags, '["JSON"]') END
    WHEN raw.tags[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(raw.tags, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END IS NOT NULL) THEN 'tags: not a list' END,
        CASE WHEN raw.work_days_hours_history <> '' AND NOT (CASE WHEN raw.work_days_hours_history[1] = '{' THEN CASE WHEN json_valid(raw.work_days_hours_history) THEN
      list_transform(map_entries(TRY_CAST(TRY_CAST(raw.work_days_hours_history AS JSON) AS MAP(VARCHAR, JSON))), lambda e: json_object(e.key, e.value)) END
    WHEN raw.work_days_hours_history = '[]' THEN CAST([] AS JSON[])
  END IS NOT NULL) THEN 'work_days_hours_history: not an object with dates as keys' END,
        CASE WHEN raw.department <> '' AND NOT (raw.department[1] = '{' AND json_valid(raw.department)) THEN 'department: not an object' END,
        CASE WHEN end_date < start_date THEN 'end_date is before start_date' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT people_id, name, people_code, email, job_title, department_id, department_name, role_id, region_id, work_days_hours, contractor, people_type_id, start_date, end_date, active, default_hourly_rate, cost_rate, effective_date, notes, avatar_file, auto_email, employee_type, COALESCE(created, TIMESTAMP '2026-01-01 00:00:00') AS created, COALESCE(modified, TIMESTAMP '2026-01-01 00:00:00') AS modified, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END END, 'left_out': left_out}) AS VARCHAR) END
    , 'lists': {'contracts': NULLIF(raw.contracts, ''), 'bill_rate_history': NULLIF(raw.bill_rate_history, ''), 'tags': NULLIF(raw.tags, ''), 'work_days_hours_history': NULLIF(raw.work_days_hours_history, '')}
  } AS origin
FROM validated;

WITH list AS (
  SELECT people_id, origin.file AS file, rowid AS container_row, CASE WHEN origin.lists.contracts[1] = '[' THEN CASE WHEN json_valid(origin.lists.contracts) THEN from_json(origin.lists.contracts, '["JSON"]') END
    WHEN origin.lists.contracts[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(origin.lists.contracts, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END AS items
  FROM source.people
  WHERE origin.lists.contracts IS NOT NULL
), item AS (
  SELECT people_id, file, container_row, unnest(range(1, len(items) + 1)) AS position, unnest(items) AS json
  FROM list
), record AS (
  SELECT * REPLACE (COALESCE(json, 'null') AS json), CAST(NULL AS VARCHAR) AS problem, from_json(json, '{"effective_date":"VARCHAR","role_id":"VARCHAR","role_name":"VARCHAR","cost_rate":"VARCHAR","cost_rate_from":"VARCHAR"}') AS raw
  FROM item
), exact AS (
  SELECT *, CASE WHEN raw.cost_rate IS NULL OR raw.cost_rate = '' THEN NULL
    WHEN regexp_full_match(raw.cost_rate, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.cost_rate
    WHEN json_type(json, '$."cost_rate"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.cost_rate, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.cost_rate END
    WHEN abs(TRY_CAST(raw.cost_rate AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.cost_rate AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.cost_rate AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.cost_rate AS DOUBLE))
    WHEN regexp_matches(raw.cost_rate, '^-?[0-9]') THEN raw.cost_rate -- a number beyond every range, such as 1e400
  END AS cost_rate_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    CASE WHEN CAST(TRY_CAST(raw.effective_date AS DATE) AS VARCHAR) = raw.effective_date THEN TRY_CAST(raw.effective_date AS DATE) END AS effective_date,
    NULLIF(CASE WHEN CAST(TRY_CAST(raw.role_id AS BIGINT) AS VARCHAR) = raw.role_id THEN TRY_CAST(raw.role_id AS BIGINT)
      WHEN regexp_full_match(raw.role_id, '-?[0-9]+([.]0*)?') THEN TRY_CAST(raw.role_id AS BIGINT) END, 0) AS role_id,
    CASE WHEN raw.role_name LIKE '{%' OR raw.role_name LIKE '[%' OR raw.role_name IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."role_name"') = 'VARCHAR' THEN raw.role_name END ELSE raw.role_name END AS role_name,
    TRY_CAST(cost_rate_text AS DECIMAL(18,4)) AS cost_rate,
    NULLIF(CASE WHEN raw.cost_rate_from LIKE '{%' OR raw.cost_rate_from LIKE '[%' OR raw.cost_rate_from IN ('true', 'false')
      THEN CASE WHEN json_type(json, '$."cost_rate_from"') = 'VARCHAR' THEN raw.cost_rate_from END ELSE raw.cost_rate_from END, '') AS cost_rate_from,
    CAST(CASE WHEN length(cost_rate_text) > 5 THEN CASE WHEN regexp_matches(cost_rate_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('effective_date', 'role_id', 'role_name', 'cost_rate', 'cost_rate_from'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR json_type(json) IS DISTINCT FROM 'OBJECT'
      OR (effective_date IS NULL AND raw.effective_date <> '')
      OR (role_id IS NULL AND raw.role_id NOT IN ('', '0'))
      OR (role_name IS NULL AND raw.role_name <> '')
      OR (cost_rate IS NULL AND raw.cost_rate <> '')
      OR (cost_rate_from IS NULL AND raw.cost_rate_from <> '')
      OR (effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (role_id < 0)
      OR (contains(role_name, chr(0)))
      OR (cost_rate < 0)
      OR (cost_rate >= 1000000000000)
      OR (contains(cost_rate_from, chr(0)))
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.effective_date IS NULL OR raw.effective_date = '' THEN NULL
          WHEN effective_date IS NULL THEN 'effective_date: not a day written YYYY-MM-DD'
          WHEN effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'effective_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.role_id IS NULL OR regexp_full_match(raw.role_id, '(0+([.]0*)?)?') THEN NULL
          WHEN role_id IS NULL THEN 'role_id: not an id'
          WHEN role_id < 0 THEN 'role_id: not an id' END,
        CASE WHEN raw.role_name IS NULL OR raw.role_name = '' THEN NULL
          WHEN role_name IS NULL THEN 'role_name: not a text'
          WHEN contains(role_name, chr(0)) THEN 'role_name: it contains the character U+0000' END,
        CASE WHEN raw.cost_rate IS NULL OR raw.cost_rate = '' THEN NULL
          WHEN cost_rate IS NULL THEN CASE WHEN cost_rate_text IS NULL THEN 'cost_rate: not a number' ELSE CASE WHEN cost_rate_text LIKE '-%' THEN 'cost_rate: below 0' ELSE 'cost_rate: not below 1000000000000' END END
          WHEN cost_rate < 0 THEN 'cost_rate: below 0' WHEN cost_rate >= 1000000000000 THEN 'cost_rate: not below 1000000000000' END,
        CASE WHEN raw.cost_rate_from IS NULL OR raw.cost_rate_from = '' THEN NULL
          WHEN cost_rate_from IS NULL THEN 'cost_rate_from: not a text'
          WHEN contains(cost_rate_from, chr(0)) THEN 'cost_rate_from: it contains the character U+0000' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT people_id, CAST(position AS INTEGER) AS position, effective_date, role_id, role_name, cost_rate, cost_rate_from, {
    'file': file, 'container_row': container_row, 'rounded': rounded, 'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CAST(json AS VARCHAR) END, 'left_out': left_out}) AS VARCHAR) END
  } AS origin
FROM validated;

WITH list AS (
  SELECT people_id, origin.file AS file, rowid AS container_row, CASE WHEN origin.lists.bill_rate_history[1] = '[' THEN CASE WHEN json_valid(origin.lists.bill_rate_history) THEN from_json(origin.lists.bill_rate_history, '["JSON"]') END
    WHEN origin.lists.bill_rate_history[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(origin.lists.bill_rate_history, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END AS items
  FROM source.people
  WHERE origin.lists.bill_rate_history IS NOT NULL
), item AS (
  SELECT people_id, file, container_row, unnest(range(1, len(items) + 1)) AS position, unnest(items) AS json
  FROM list
), record AS (
  SELECT * REPLACE (COALESCE(json, 'null') AS json), CAST(NULL AS VARCHAR) AS problem, from_json(json, '{"rate":"VARCHAR","effective_date":"VARCHAR"}') AS raw
  FROM item
), exact AS (
  SELECT *, CASE WHEN raw.rate IS NULL OR raw.rate = '' THEN NULL
    WHEN regexp_full_match(raw.rate, '[0-9]{1,11}([.][0-9]{1,4})?') THEN raw.rate
    WHEN json_type(json, '$."rate"') = 'VARCHAR' THEN CASE WHEN regexp_full_match(raw.rate, '-?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN raw.rate END
    WHEN abs(TRY_CAST(raw.rate AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(raw.rate AS DOUBLE))
    WHEN isfinite(TRY_CAST(raw.rate AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(raw.rate AS DOUBLE))
    WHEN regexp_matches(raw.rate, '^-?[0-9]') THEN raw.rate -- a number beyond every range, such as 1e400
  END AS rate_text,
    json_keys(json) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    TRY_CAST(rate_text AS DECIMAL(18,4)) AS rate,
    CASE WHEN CAST(TRY_CAST(raw.effective_date AS DATE) AS VARCHAR) = raw.effective_date THEN TRY_CAST(raw.effective_date AS DATE) END AS effective_date,
    CAST(CASE WHEN length(rate_text) > 5 THEN CASE WHEN regexp_matches(rate_text, '[.][0-9]{4}[0-9]*[1-9]') THEN 1 ELSE 0 END ELSE 0 END AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: k NOT IN ('rate', 'effective_date'))) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR (rate IS NULL AND raw.rate <> '')
      OR effective_date IS NULL
      OR (rate < 0)
      OR (rate >= 1000000000000)
      OR (effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN json_type(json) IS DISTINCT FROM 'OBJECT' THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.rate IS NULL OR raw.rate = '' THEN NULL
          WHEN rate IS NULL THEN CASE WHEN rate_text IS NULL THEN 'rate: not a number' ELSE CASE WHEN rate_text LIKE '-%' THEN 'rate: below 0' ELSE 'rate: not below 1000000000000' END END
          WHEN rate < 0 THEN 'rate: below 0' WHEN rate >= 1000000000000 THEN 'rate: not below 1000000000000' END,
        CASE WHEN raw.effective_date IS NULL OR raw.effective_date = '' THEN 'effective_date: missing'
          WHEN effective_date IS NULL THEN 'effective_date: not a day written YYYY-MM-DD'
          WHEN effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'effective_date: outside 1970-01-01 to 2099-12-31' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT people_id, CAST(position AS INTEGER) AS position, rate, effective_date, {
    'file': file, 'container_row': container_row, 'rounded': rounded, 'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CAST(json AS VARCHAR) END, 'left_out': left_out}) AS VARCHAR) END
  } AS origin
FROM validated;

WITH list AS (
  SELECT people_id, origin.file AS file, rowid AS container_row, CASE WHEN origin.lists.tags[1] = '[' THEN CASE WHEN json_valid(origin.lists.tags) THEN from_json(origin.lists.tags, '["JSON"]') END
    WHEN origin.lists.tags[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(origin.lists.tags, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END AS items
  FROM source.people
  WHERE origin.lists.tags IS NOT NULL
), item AS (
  SELECT people_id, file, container_row, unnest(range(1, len(items) + 1)) AS position, unnest(items) AS json
  FROM list
), record AS (
  SELECT * REPLACE (COALESCE(json, 'null') AS json), CAST(NULL AS VARCHAR) AS problem, {'tag': CASE WHEN json_type(json) = 'OBJECT' THEN json_extract_string(json, '$.name') ELSE json_extract_string(json, '$') END} AS raw
  FROM item
), exact AS (
  SELECT *, CAST(NULL AS VARCHAR[]) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    NULLIF(lower(regexp_replace(CASE WHEN raw.tag LIKE '{%' OR raw.tag LIKE '[%' OR raw.tag IN ('true', 'false')
      THEN CASE WHEN json_type(json) = 'VARCHAR' THEN raw.tag END ELSE raw.tag END, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g')), '') AS tag,
    CAST(0 AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: TRUE)) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR tag IS NULL
      OR (contains(tag, chr(0)))
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN FALSE THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.tag IS NULL OR regexp_replace(raw.tag, '^[\s\x0b\p{Z}\x{FEFF}]+|[\s\x0b\p{Z}\x{FEFF}]+$', '', 'g') = '' THEN 'tag: missing'
          WHEN tag IS NULL THEN 'tag: not a text'
          WHEN contains(tag, chr(0)) THEN 'tag: it contains the character U+0000' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT people_id, CAST(position AS INTEGER) AS position, tag, {
    'file': file, 'container_row': container_row, 'rounded': rounded, 'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CAST(json AS VARCHAR) END, 'left_out': left_out}) AS VARCHAR) END
  } AS origin
FROM validated;

WITH list AS (
  SELECT people_id, origin.file AS file, rowid AS container_row, CASE WHEN origin.lists.work_days_hours_history[1] = '{' THEN CASE WHEN json_valid(origin.lists.work_days_hours_history) THEN
      list_transform(map_entries(TRY_CAST(TRY_CAST(origin.lists.work_days_hours_history AS JSON) AS MAP(VARCHAR, JSON))), lambda e: json_object(e.key, e.value)) END
    WHEN origin.lists.work_days_hours_history = '[]' THEN CAST([] AS JSON[])
  END AS items
  FROM source.people
  WHERE origin.lists.work_days_hours_history IS NOT NULL
), item AS (
  SELECT people_id, file, container_row, unnest(range(1, len(items) + 1)) AS position, unnest(items) AS json
  FROM list
), record AS (
  SELECT * REPLACE (COALESCE(json, 'null') AS json), CAST(NULL AS VARCHAR) AS problem, {'effective_date': json_keys(json)[1], 'work_days_hours': json_extract_string(json, '$.*')[1]} AS raw
  FROM item
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
    CAST(NULL AS VARCHAR[]) AS odd_keys
  FROM record
), value AS (
  SELECT *,
    CASE WHEN CAST(TRY_CAST(raw.effective_date AS DATE) AS VARCHAR) = raw.effective_date THEN TRY_CAST(raw.effective_date AS DATE) END AS effective_date,
    TRY_CAST(work_days_hours_text AS DECIMAL(10,6)[]) AS work_days_hours,
    CAST(COALESCE(len(list_filter(work_days_hours_text, lambda d: regexp_matches(d, '[.][0-9]{6}[0-9]*[1-9]'))), 0) AS UTINYINT) AS rounded,
    NULLIF(len(list_filter(odd_keys, lambda k: TRUE)) > 0, FALSE) AS unknown
  FROM exact
), validated AS (
  SELECT *, CASE WHEN problem IS NOT NULL
      OR len(odd_keys) > len(list_intersect(odd_keys, odd_keys))
      OR effective_date IS NULL
      OR work_days_hours IS NULL
      OR (effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')
      OR (len(work_days_hours) <> 7 OR len(list_filter(work_days_hours, lambda h: h BETWEEN 0 AND 24)) <> 7)
    THEN CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN FALSE THEN ['not an object']
      WHEN len(odd_keys) > len(list_intersect(odd_keys, odd_keys)) THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        CASE WHEN raw.effective_date IS NULL OR raw.effective_date = '' THEN 'effective_date: missing'
          WHEN effective_date IS NULL THEN 'effective_date: not a day written YYYY-MM-DD'
          WHEN effective_date NOT BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN 'effective_date: outside 1970-01-01 to 2099-12-31' END,
        CASE WHEN raw.work_days_hours IS NULL OR raw.work_days_hours = '' THEN 'work_days_hours: missing'
          WHEN work_days_hours IS NULL THEN 'work_days_hours: not 7 numbers from 0 to 24'
          WHEN len(work_days_hours) <> 7 OR len(list_filter(work_days_hours, lambda h: h BETWEEN 0 AND 24)) <> 7 THEN 'work_days_hours: not 7 numbers from 0 to 24' END
      ], lambda r: r IS NOT NULL), []) END END AS reasons, NULL AS left_out
  FROM value
)
SELECT people_id, CAST(position AS INTEGER) AS position, effective_date, work_days_hours, {
    'file': file, 'container_row': container_row, 'rounded': rounded, 'fault': CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN CAST(json AS VARCHAR) END, 'left_out': left_out}) AS VARCHAR) END
  } AS origin
FROM validated;
