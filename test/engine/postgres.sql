-- The functions that engines spell differently, as PostgreSQL spells them: those of sql/prelude/duckdb.sql that models, checks and
-- sql/refresh call. Loaded into the first schema of the search path.

-- PostgreSQL keeps the words as text.
CREATE FUNCTION pl_line_kind(word_ TEXT) RETURNS TEXT IMMUTABLE RETURN word_;
CREATE FUNCTION pl_line_status(word_ TEXT) RETURNS TEXT IMMUTABLE RETURN word_;
CREATE FUNCTION pl_bill_rate_source(word_ TEXT) RETURNS TEXT IMMUTABLE RETURN word_;
CREATE FUNCTION pl_cost_rate_source(word_ TEXT) RETURNS TEXT IMMUTABLE RETURN word_;

CREATE FUNCTION pl_add_days(day_ DATE, days_ BIGINT) RETURNS DATE IMMUTABLE RETURN day_ + CAST(days_ AS INTEGER);
CREATE FUNCTION pl_days_between(earlier_ DATE, later_ DATE) RETURNS INTEGER IMMUTABLE RETURN later_ - earlier_;
CREATE FUNCTION pl_weekday(day_ DATE) RETURNS INTEGER IMMUTABLE RETURN CAST(EXTRACT(DOW FROM day_) AS INTEGER);
CREATE FUNCTION pl_year(day_ DATE) RETURNS INTEGER IMMUTABLE RETURN CAST(EXTRACT(YEAR FROM day_) AS INTEGER);
CREATE FUNCTION pl_day_in(time_zone_ TEXT, moment_ TIMESTAMP) RETURNS DATE IMMUTABLE
  RETURN CAST(moment_ AT TIME ZONE 'UTC' AT TIME ZONE time_zone_ AS DATE);
CREATE FUNCTION pl_first_of_month(day_ DATE) RETURNS DATE IMMUTABLE RETURN day_ - CAST(EXTRACT(DAY FROM day_) AS INTEGER) + 1;
CREATE FUNCTION pl_months_between(earlier_ DATE, later_ DATE) RETURNS INTEGER IMMUTABLE
  RETURN (pl_year(later_) - pl_year(earlier_)) * 12 + CAST(EXTRACT(MONTH FROM later_) - EXTRACT(MONTH FROM earlier_) AS INTEGER);
CREATE FUNCTION pl_weeks_into_month(day_ DATE) RETURNS INTEGER IMMUTABLE RETURN (CAST(EXTRACT(DAY FROM day_) AS INTEGER) - 1) / 7;
CREATE FUNCTION pl_whole_steps(distance_ BIGINT, step_ BIGINT) RETURNS BIGINT IMMUTABLE RETURN distance_ / step_;
CREATE FUNCTION pl_add_months(day_ DATE, months_ BIGINT) RETURNS DATE IMMUTABLE
  RETURN CAST(day_ + make_interval(months => CAST(months_ AS INTEGER)) AS DATE);
CREATE FUNCTION pl_week_start(day_ DATE, week_starts_on_ BIGINT) RETURNS DATE IMMUTABLE
  RETURN day_ - (pl_weekday(day_) + 7 - CAST(week_starts_on_ AS INTEGER)) % 7;
CREATE FUNCTION pl_fiscal_start(day_ DATE, months_ BIGINT, fiscal_year_starts_in_ BIGINT) RETURNS DATE IMMUTABLE
  RETURN pl_add_months(
    pl_first_of_month(day_),
    -((CAST(EXTRACT(MONTH FROM day_) AS BIGINT) + 12 - fiscal_year_starts_in_) % months_)
  );

CREATE FUNCTION pl_number_series(first_ BIGINT, last_ BIGINT) RETURNS INTEGER[] IMMUTABLE
  RETURN ARRAY(SELECT generate_series(CAST(first_ AS INTEGER), CAST(last_ AS INTEGER)));

CREATE FUNCTION pl_week(hours_ NUMERIC[]) RETURNS NUMERIC[] IMMUTABLE RETURN CASE WHEN cardinality(hours_) > 0 THEN hours_ END;
CREATE FUNCTION pl_hours_on(week_hours_ NUMERIC[], day_ DATE) RETURNS NUMERIC IMMUTABLE RETURN week_hours_[pl_weekday(day_) + 1];
CREATE FUNCTION pl_week_units(week_hours_ NUMERIC[]) RETURNS BIGINT IMMUTABLE
  RETURN CAST((week_hours_[1] + week_hours_[2] + week_hours_[3] + week_hours_[4] + week_hours_[5] + week_hours_[6] + week_hours_[7]) * 1000000 AS BIGINT);
CREATE FUNCTION pl_work_weekdays(week_hours_ NUMERIC[]) RETURNS INTEGER IMMUTABLE
  RETURN CAST(week_hours_[1] > 0 AS INTEGER) + 2 * CAST(week_hours_[2] > 0 AS INTEGER) + 4 * CAST(week_hours_[3] > 0 AS INTEGER)
    + 8 * CAST(week_hours_[4] > 0 AS INTEGER) + 16 * CAST(week_hours_[5] > 0 AS INTEGER) + 32 * CAST(week_hours_[6] > 0 AS INTEGER)
    + 64 * CAST(week_hours_[7] > 0 AS INTEGER);
CREATE FUNCTION pl_weekdays_between(first_ DATE, last_ DATE) RETURNS INTEGER IMMUTABLE
  RETURN CASE
    WHEN last_ - first_ >= 6 THEN 127
    ELSE (((1 << (last_ - first_ + 1)) - 1) << pl_weekday(first_)) | (((1 << (last_ - first_ + 1)) - 1) >> (7 - pl_weekday(first_)))
  END;
CREATE FUNCTION pl_has_common_weekday(set_ INTEGER, other_set_ INTEGER) RETURNS BOOLEAN IMMUTABLE
  RETURN (set_ & other_set_ & 127) <> 0;
CREATE FUNCTION pl_has_weekday(set_ INTEGER, weekday_ INTEGER) RETURNS BOOLEAN IMMUTABLE RETURN (set_ >> weekday_) & 1 = 1;

CREATE FUNCTION pl_round_money(amount_ NUMERIC, minor_units_ INTEGER) RETURNS NUMERIC IMMUTABLE
  RETURN CASE WHEN minor_units_ IN (0, 2, 3, 4) THEN CAST(round(amount_, minor_units_) AS NUMERIC(18, 4)) END;
CREATE FUNCTION pl_amount(hours_ NUMERIC, rate_ NUMERIC, minor_units_ INTEGER) RETURNS NUMERIC IMMUTABLE
  RETURN pl_round_money(hours_ * rate_, minor_units_);
CREATE FUNCTION pl_rounded_off(hours_ NUMERIC, rate_ NUMERIC, amount_ NUMERIC) RETURNS NUMERIC IMMUTABLE
  RETURN CAST(hours_ * rate_ - amount_ AS NUMERIC(18, 10));

CREATE FUNCTION pl_hour_units(hours_ NUMERIC) RETURNS BIGINT IMMUTABLE RETURN CAST(hours_ * 1000000 AS BIGINT);
CREATE FUNCTION pl_money_units(amount_ NUMERIC, minor_units_ INTEGER) RETURNS BIGINT IMMUTABLE
  RETURN CAST(amount_ * power(10::NUMERIC, minor_units_) AS BIGINT);
CREATE FUNCTION pl_money_of_units(units_ NUMERIC, minor_units_ INTEGER) RETURNS NUMERIC IMMUTABLE
  RETURN CAST(units_ / power(10::NUMERIC, minor_units_) AS NUMERIC(18, 4));
CREATE FUNCTION pl_share_of_units(units_ NUMERIC, part_ NUMERIC, whole_ NUMERIC) RETURNS NUMERIC IMMUTABLE
  RETURN CASE WHEN whole_ <> 0 THEN div(2 * units_ * part_ + sign(units_) * whole_, 2 * whole_) END;

CREATE FUNCTION pl_join_texts(texts_ TEXT[]) RETURNS TEXT IMMUTABLE RETURN array_to_string(texts_, '; ');
CREATE FUNCTION pl_plain_decimal(value_ NUMERIC) RETURNS TEXT IMMUTABLE RETURN CAST(trim_scale(value_) AS TEXT);
