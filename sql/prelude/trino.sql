-- The functions of duckdb.sql on Trino. Parameters have one type each; narrower arguments are widened without loss.

-- Trino has no enums: the words stay texts.
CREATE FUNCTION pl_line_kind(word_ varchar) RETURNS varchar DETERMINISTIC RETURN word_;
CREATE FUNCTION pl_line_status(word_ varchar) RETURNS varchar DETERMINISTIC RETURN word_;
CREATE FUNCTION pl_bill_rate_source(word_ varchar) RETURNS varchar DETERMINISTIC RETURN word_;
CREATE FUNCTION pl_cost_rate_source(word_ varchar) RETURNS varchar DETERMINISTIC RETURN word_;

CREATE FUNCTION pl_add_days(day_ date, days_ bigint) RETURNS date DETERMINISTIC RETURN date_add('day', days_, day_);
CREATE FUNCTION pl_days_between(earlier_ date, later_ date) RETURNS integer DETERMINISTIC
  RETURN CAST(date_diff('day', earlier_, later_) AS integer);

-- 0 is Sunday.
CREATE FUNCTION pl_weekday(day_ date) RETURNS integer DETERMINISTIC RETURN CAST(day_of_week(day_) % 7 AS integer);

CREATE FUNCTION pl_year(day_ date) RETURNS integer DETERMINISTIC RETURN CAST(year(day_) AS integer);

-- The day of a moment of UTC in a time zone.
CREATE FUNCTION pl_day_in(time_zone_ varchar, moment_ timestamp(6)) RETURNS date DETERMINISTIC
  RETURN CAST(at_timezone(with_timezone(moment_, 'UTC'), time_zone_) AS date);

CREATE FUNCTION pl_first_of_month(day_ date) RETURNS date DETERMINISTIC RETURN date_trunc('month', day_);

CREATE FUNCTION pl_months_between(earlier_ date, later_ date) RETURNS bigint DETERMINISTIC
  RETURN (year(later_) - year(earlier_)) * 12 + month(later_) - month(earlier_);

-- 0 for the first seven days of the month, 4 for the days from the 29th.
CREATE FUNCTION pl_weeks_into_month(day_ date) RETURNS bigint DETERMINISTIC RETURN (day(day_) - 1) / 7;

-- The number of whole steps in a distance. Both are integers, so the division truncates.
CREATE FUNCTION pl_whole_steps(distance_ bigint, step_ bigint) RETURNS bigint DETERMINISTIC RETURN distance_ / nullif(step_, 0);

-- The same day of another month, or that month's last day.
CREATE FUNCTION pl_add_months(day_ date, months_ bigint) RETURNS date DETERMINISTIC RETURN date_add('month', months_, day_);

-- Periods: the first day of a day's week. Weeks start on a weekday; 0 is Sunday.
CREATE FUNCTION pl_week_start(day_ date, week_starts_on_ bigint) RETURNS date DETERMINISTIC
  RETURN date_add('day', -((day_of_week(day_) + 7 - week_starts_on_) % 7), day_);

-- The first day of a day's fiscal quarter (3 months) or fiscal year (12 months). Fiscal years start in a month from 1 to 12.
CREATE FUNCTION pl_fiscal_start(day_ date, months_ bigint, fiscal_year_starts_in_ bigint) RETURNS date DETERMINISTIC
  RETURN date_add('month', -((month(day_) + 12 - fiscal_year_starts_in_) % months_), date_trunc('month', day_));

-- The whole numbers from first to last, both included, for UNNEST. sequence() counts down instead of being empty, and makes at most 10,000
-- numbers, so longer ranges are made in blocks.
CREATE FUNCTION pl_number_series(first_ bigint, last_ bigint) RETURNS array(bigint) DETERMINISTIC
  RETURN CASE
    WHEN last_ < first_ THEN CAST(ARRAY[] AS array(bigint))
    ELSE flatten(transform(
      sequence(first_, last_, 10000),
      block -> sequence(block, CASE WHEN block + 9999 < last_ THEN block + 9999 ELSE last_ END)
    ))
  END;

-- A week is a list of seven hours, Sunday first; an empty list is no week. A set of weekdays is a number whose bit 0 is Sunday.
CREATE FUNCTION pl_week(hours_ array(decimal(10, 6))) RETURNS array(decimal(10, 6)) DETERMINISTIC
  RETURN CASE WHEN cardinality(hours_) > 0 THEN hours_ END;
CREATE FUNCTION pl_hours_on(week_hours_ array(decimal(10, 6)), day_ date) RETURNS decimal(10, 6) DETERMINISTIC
  RETURN element_at(week_hours_, day_of_week(day_) % 7 + 1);
CREATE FUNCTION pl_week_units(week_hours_ array(decimal(10, 6))) RETURNS bigint DETERMINISTIC
  RETURN CAST((week_hours_[1] + week_hours_[2] + week_hours_[3] + week_hours_[4] + week_hours_[5] + week_hours_[6] + week_hours_[7]) * 1000000 AS bigint);
CREATE FUNCTION pl_work_weekdays(week_hours_ array(decimal(10, 6))) RETURNS bigint DETERMINISTIC
  RETURN CASE WHEN week_hours_ IS NOT NULL THEN
    CASE WHEN week_hours_[1] > 0 THEN 1 ELSE 0 END + CASE WHEN week_hours_[2] > 0 THEN 2 ELSE 0 END
    + CASE WHEN week_hours_[3] > 0 THEN 4 ELSE 0 END + CASE WHEN week_hours_[4] > 0 THEN 8 ELSE 0 END
    + CASE WHEN week_hours_[5] > 0 THEN 16 ELSE 0 END + CASE WHEN week_hours_[6] > 0 THEN 32 ELSE 0 END
    + CASE WHEN week_hours_[7] > 0 THEN 64 ELSE 0 END
  END;
-- One bit per day, shifted to the weekday of the first day; bits shifted out at the top come in again at the bottom.
CREATE FUNCTION pl_weekdays_between(first_ date, last_ date) RETURNS bigint DETERMINISTIC
  RETURN CASE
    WHEN date_diff('day', first_, last_) >= 6 THEN 127
    ELSE bitwise_or(
      bitwise_left_shift(bitwise_left_shift(BIGINT '1', CAST(date_diff('day', first_, last_) + 1 AS integer)) - 1, CAST(day_of_week(first_) % 7 AS integer)),
      bitwise_right_shift(bitwise_left_shift(BIGINT '1', CAST(date_diff('day', first_, last_) + 1 AS integer)) - 1, CAST(7 - day_of_week(first_) % 7 AS integer))
    )
  END;
CREATE FUNCTION pl_has_common_weekday(weekdays_ bigint, other_weekdays_ bigint) RETURNS boolean DETERMINISTIC
  RETURN (bitwise_and(bitwise_and(weekdays_, other_weekdays_), 127) <> 0);
CREATE FUNCTION pl_has_weekday(weekdays_ bigint, weekday_ integer) RETURNS boolean DETERMINISTIC
  RETURN (bitwise_and(bitwise_right_shift(weekdays_, weekday_), 1) = 1);

-- Rounds half away from zero to the currency's minor unit (A1).
CREATE FUNCTION pl_round_money(amount_ decimal(38, 12), minor_units_ bigint) RETURNS decimal(18, 4) DETERMINISTIC
  RETURN CASE minor_units_
    WHEN 0 THEN CAST(round(amount_, 0) AS decimal(18, 4))
    WHEN 2 THEN CAST(round(amount_, 2) AS decimal(18, 4))
    WHEN 3 THEN CAST(round(amount_, 3) AS decimal(18, 4))
    WHEN 4 THEN CAST(round(amount_, 4) AS decimal(18, 4))
  END;

-- Hours times a rate, and what rounding has taken from this product; null without a rate.
CREATE FUNCTION pl_amount(hours_ decimal(10, 6), rate_ decimal(18, 4), minor_units_ bigint) RETURNS decimal(18, 4) DETERMINISTIC
  RETURN pl_round_money(hours_ * rate_, minor_units_);
CREATE FUNCTION pl_rounded_off(hours_ decimal(10, 6), rate_ decimal(18, 4), amount_ decimal(18, 4)) RETURNS decimal(18, 10) DETERMINISTIC
  RETURN CAST(hours_ * rate_ - amount_ AS decimal(18, 10));

CREATE FUNCTION pl_hour_units(hours_ decimal(38, 6)) RETURNS decimal(18, 0) DETERMINISTIC RETURN CAST(hours_ * 1000000 AS decimal(18, 0));
CREATE FUNCTION pl_minor_step(minor_units_ bigint) RETURNS bigint DETERMINISTIC
  RETURN CASE minor_units_ WHEN 0 THEN 10000 WHEN 2 THEN 100 WHEN 3 THEN 10 WHEN 4 THEN 1 END;
CREATE FUNCTION pl_money_units(amount_ decimal(18, 4), minor_units_ bigint) RETURNS decimal(18, 0) DETERMINISTIC
  RETURN CAST(CAST(amount_ AS decimal(38, 4)) * 10000 / pl_minor_step(minor_units_) AS decimal(18, 0));
CREATE FUNCTION pl_money_of_units(units_ decimal(38, 0), minor_units_ bigint) RETURNS decimal(18, 4) DETERMINISTIC
  RETURN CAST(CAST(units_ AS decimal(18, 0)) * pl_minor_step(minor_units_) * DECIMAL '0.0001' AS decimal(18, 4));
-- The remainder is taken off first: a division of decimals rounds.
CREATE FUNCTION pl_share_of_units(units_ decimal(18, 0), part_ decimal(38, 0), whole_ decimal(38, 0)) RETURNS decimal(18, 0) DETERMINISTIC
  RETURN CASE WHEN whole_ <> 0 THEN
    CAST((2 * units_ * part_ + sign(units_) * whole_ - (2 * units_ * part_ + sign(units_) * whole_) % (2 * whole_)) / (2 * whole_) AS decimal(18, 0))
  END;

-- The texts of a list as one text.
CREATE FUNCTION pl_join_texts(texts_ array(varchar)) RETURNS varchar DETERMINISTIC RETURN array_join(texts_, '; ');

-- A decimal as text, without trailing zeros.
CREATE FUNCTION pl_plain_decimal(value_ decimal(38, 6)) RETURNS varchar DETERMINISTIC
  RETURN trim(TRAILING '.' FROM trim(TRAILING '0' FROM CAST(value_ AS varchar)));
