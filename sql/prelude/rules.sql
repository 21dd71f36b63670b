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

-- K1, S2: work is internal, and nothing of it is billable, where its project or phase is non-billable, or where the contract of its place says so: that of
-- the project where budgets are of projects (priority 0), else that of the phase, or without one of the project.
CREATE FUNCTION pl_is_internal(project_ BOOLEAN, phase_ BOOLEAN, priority_ INTEGER, project_contract_ VARCHAR, phase_contract_ VARCHAR) RETURNS BOOLEAN
RETURN
  CASE
    WHEN project_ OR phase_ THEN TRUE
    WHEN priority_ = 0 THEN COALESCE(project_contract_ = 'internal', FALSE)
    ELSE COALESCE(phase_contract_ = 'internal', project_contract_ = 'internal', FALSE)
  END;
-- S2: a record of logged time decides whether it is billable or, without a value, its project task; else it is.
CREATE FUNCTION pl_logged_billable(own_ BOOLEAN, project_task_ BOOLEAN) RETURNS BOOLEAN
RETURN COALESCE(own_, project_task_, TRUE);

-- R2: the role of a line is the team's, or else the person's of the day.
CREATE FUNCTION pl_line_role(team_role_ BIGINT, day_role_ BIGINT) RETURNS BIGINT
RETURN COALESCE(team_role_, day_role_);
-- R4: the bill rate of a line is that of its place, else that of a rate card, else the person's, else the role's: that of the team or of the day.
CREATE FUNCTION pl_line_bill_rate(place_ DECIMAL(18, 4), card_ DECIMAL(18, 4), own_ DECIMAL(18, 4), team_role_ BIGINT, team_ DECIMAL(18, 4), day_role_ DECIMAL(18, 4)) RETURNS DECIMAL(18, 4)
RETURN COALESCE(place_, card_, own_, CASE WHEN team_role_ IS NULL THEN day_role_ ELSE team_ END);
CREATE FUNCTION pl_line_bill_rate_source(place_source_ VARCHAR, card_source_ VARCHAR, own_ DECIMAL(18, 4), team_role_ BIGINT, team_ DECIMAL(18, 4), day_role_ DECIMAL(18, 4)) RETURNS VARCHAR
RETURN
  CASE
    WHEN place_source_ IS NOT NULL THEN place_source_
    WHEN card_source_ IS NOT NULL THEN pl_bill_rate_source(card_source_)
    WHEN own_ IS NOT NULL THEN pl_bill_rate_source('person')
    WHEN CASE WHEN team_role_ IS NULL THEN day_role_ ELSE team_ END IS NOT NULL THEN pl_bill_rate_source('role')
    ELSE pl_bill_rate_source('none')
  END;
-- P1: the day of the entry that a bill rate comes from; null for the one without a day.
CREATE FUNCTION pl_line_bill_rate_from(source_ VARCHAR, place_ DATE, card_ DATE, own_ DATE, team_role_ BIGINT, team_ DATE, day_role_ DATE) RETURNS DATE
RETURN
  CASE
    WHEN source_ IN ('phase_team', 'phase', 'project_team', 'project') THEN place_
    WHEN source_ IN ('rate_card', 'client_card') THEN card_
    WHEN source_ = 'person' THEN own_
    WHEN source_ = 'role' AND team_role_ IS NULL THEN day_role_
    WHEN source_ = 'role' THEN team_
  END;

-- D2: repeats without an end of their own end with the project (time off: with the employment), or else 2 years after the start.
CREATE FUNCTION pl_repeat_end(own_ DATE, other_ DATE, start_ DATE) RETURNS DATE
RETURN LEAST(COALESCE(own_, other_, pl_add_months(start_, 24)), pl_add_days(pl_after_last_day(), -1));

-- K3: a line of a place that has ended is beyond its end if it is left to do, or after the end by the records (is_by_end_) or by the lines.
CREATE FUNCTION pl_is_after_end(date_ DATE, is_by_end_ BOOLEAN, is_left_ BOOLEAN, end_ DATE) RETURNS BOOLEAN
RETURN COALESCE(end_ IS NOT NULL AND (is_left_ OR NOT is_by_end_ OR date_ > end_), FALSE);
-- G2: the day of the step by which a line is earned: that of the entry on or after its day, as far as entries count, else that of the end; work that is
-- left to do is earned after the last day. Lines after the latest entry are earned by none.
CREATE FUNCTION pl_fee_step(entry_ DATE, last_entry_ DATE, end_ DATE, is_left_ BOOLEAN) RETURNS DATE
RETURN
  CASE
    WHEN entry_ <= last_entry_ THEN entry_
    WHEN end_ IS NOT NULL THEN end_
    WHEN is_left_ THEN pl_after_last_day()
  END;

-- T3: units of a lot as hours, or as an amount of money.
CREATE FUNCTION pl_lot_amount(units_ DECIMAL(38, 0), unit_ VARCHAR, minor_units_ INTEGER) RETURNS DECIMAL(18, 6)
RETURN
  CASE
    WHEN unit_ = 'hours' THEN CAST(CAST(units_ AS DECIMAL(18, 0)) * CAST(0.000001 AS DECIMAL(6, 6)) AS DECIMAL(18, 6))
    ELSE CAST(pl_money_of_units(units_, minor_units_) AS DECIMAL(18, 6))
  END;
