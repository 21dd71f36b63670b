-- Rules that models apply to stored records, and the service to a record before it is stored.
-- Functions of standard SQL, which PostgreSQL and Trino read as they are; for DuckDB they become macros.

-- The first day that records may name, and the day after the last one: the bounds of ranges (valid_from, valid_to) without an end.
CREATE FUNCTION pl_first_day() RETURNS DATE
RETURN DATE '1970-01-01';
CREATE FUNCTION pl_after_last_day() RETURNS DATE
RETURN DATE '2100-01-01';

-- D8: the project of logged time is its own, else its allocation's, else its project task's, else its phase's, else 0.
CREATE FUNCTION pl_logged_project(own_ BIGINT, allocation_ BIGINT, project_task_ BIGINT, phase_ BIGINT) RETURNS BIGINT
RETURN COALESCE(own_, allocation_, project_task_, phase_, 0);
-- D8: the phase comes with the project, unless the record has a project or a phase of its own. 0 is no phase; NULL: no such record.
-- D9 comes after it.
CREATE FUNCTION pl_logged_phase(own_project_ BIGINT, own_ BIGINT, allocation_ BIGINT, project_task_ BIGINT) RETURNS BIGINT
RETURN CASE WHEN own_project_ IS NOT NULL OR own_ <> 0 THEN own_ ELSE COALESCE(allocation_, project_task_, 0) END;

-- D9: a phase or project task of another project than the line's is none of the line's. One without a record is of any project.
CREATE FUNCTION pl_is_part_of(part_project_ BIGINT, project_ BIGINT) RETURNS BOOLEAN
RETURN COALESCE(part_project_ = project_, TRUE);

-- S2: a record of logged time decides whether it is billable or, without a value, its project task; else it is.
CREATE FUNCTION pl_logged_billable(own_ BOOLEAN, project_task_ BOOLEAN) RETURNS BOOLEAN
RETURN COALESCE(own_, project_task_, TRUE);

-- R2: the role of a line is the team's, or else the person's of the day.
CREATE FUNCTION pl_line_role(team_role_ BIGINT, day_role_ BIGINT) RETURNS BIGINT
RETURN COALESCE(team_role_, day_role_);
-- R4: the bill rate of a line is its assignment's or, without a team role, that of the day's role.
CREATE FUNCTION pl_line_bill_rate(assigned_ DECIMAL(18, 4), team_role_ BIGINT, role_bill_rate_ DECIMAL(18, 4)) RETURNS DECIMAL(18, 4)
RETURN COALESCE(assigned_, CASE WHEN team_role_ IS NULL THEN role_bill_rate_ END);
CREATE FUNCTION pl_line_bill_rate_source(assigned_source_ VARCHAR, team_role_ BIGINT, role_bill_rate_ DECIMAL(18, 4)) RETURNS VARCHAR
RETURN
  CASE
    WHEN assigned_source_ IS NOT NULL THEN assigned_source_
    WHEN team_role_ IS NULL AND role_bill_rate_ IS NOT NULL THEN pl_bill_rate_source('role')
    ELSE pl_bill_rate_source('none')
  END;

-- D2: repeats without an end of their own end with the project (time off: with the employment), or else 2 years after the start.
CREATE FUNCTION pl_repeat_end(own_ DATE, other_ DATE, start_ DATE) RETURNS DATE
RETURN LEAST(COALESCE(own_, other_, pl_add_months(start_, 24)), pl_add_days(pl_after_last_day(), -1));
