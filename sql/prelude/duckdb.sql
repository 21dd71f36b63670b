-- Functions that engines spell differently, each under one name. Models contain no other spelling of a single engine.
-- Names begin with pl_, so that none is an engine's built-in with another meaning.
-- Parameters end in an underscore, so that none has the name of a column.

-- The ledger's words as enums of one byte: writing them as text would take half of the time for the ledger. Engines without enums keep
-- the text.
CREATE TYPE IF NOT EXISTS line_kind AS ENUM (kinds.names);
CREATE OR REPLACE MACRO pl_line_kind(word_) AS CAST(word_ AS line_kind);
CREATE TYPE IF NOT EXISTS line_status AS ENUM ('draft', 'tentative', 'confirmed', 'completed', 'canceled');
CREATE OR REPLACE MACRO pl_line_status(word_) AS CAST(word_ AS line_status);
CREATE TYPE IF NOT EXISTS bill_rate_source AS ENUM ('phase_team', 'phase', 'project_team', 'project', 'rate_card', 'client_card', 'person', 'role', 'none');
CREATE OR REPLACE MACRO pl_bill_rate_source(word_) AS CAST(word_ AS bill_rate_source);

CREATE OR REPLACE MACRO pl_add_days(day_, days_) AS day_ + CAST(days_ AS INTEGER);

CREATE OR REPLACE MACRO pl_days_between(earlier_, later_) AS CAST(later_ - earlier_ AS INTEGER);

-- 0 is Sunday.
CREATE OR REPLACE MACRO pl_weekday(day_) AS CAST(dayofweek(day_) AS INTEGER);

CREATE OR REPLACE MACRO pl_year(day_) AS CAST(year(day_) AS INTEGER);

-- The day of a moment of UTC in a time zone.
CREATE OR REPLACE MACRO pl_day_in(time_zone_, moment_) AS CAST(timezone(time_zone_, timezone('UTC', moment_)) AS DATE);

CREATE OR REPLACE MACRO pl_first_of_month(day_) AS CAST(date_trunc('month', day_) AS DATE);

CREATE OR REPLACE MACRO pl_months_between(earlier_, later_) AS
  (year(later_) - year(earlier_)) * 12 + month(later_) - month(earlier_);

-- 0 for the first seven days of the month, 4 for the days from the 29th.
CREATE OR REPLACE MACRO pl_weeks_into_month(day_) AS (day(day_) - 1) // 7;

-- The number of whole steps in a distance.
CREATE OR REPLACE MACRO pl_whole_steps(distance_, step_) AS distance_ // step_;

-- The same day of another month, or that month's last day.
CREATE OR REPLACE MACRO pl_add_months(day_, months_) AS CAST(day_ + to_months(CAST(months_ AS INTEGER)) AS DATE);

-- Periods: the first day of a day's week. Weeks start on a weekday; 0 is Sunday.
CREATE OR REPLACE MACRO pl_week_start(day_, week_starts_on_) AS
  day_ - CAST((dayofweek(day_) + 7 - week_starts_on_) % 7 AS INTEGER);

-- The first day of a day's fiscal quarter (3 months) or fiscal year (12 months). Fiscal years start in a month from 1 to 12.
CREATE OR REPLACE MACRO pl_fiscal_start(day_, months_, fiscal_year_starts_in_) AS
  CAST(date_trunc('month', day_) - to_months(CAST((month(day_) + 12 - fiscal_year_starts_in_) % months_ AS INTEGER)) AS DATE);

-- The whole numbers from first to last, both included, for UNNEST.
CREATE OR REPLACE MACRO pl_number_series(first_, last_) AS generate_series(CAST(first_ AS INTEGER), CAST(last_ AS INTEGER));

-- A week is a list of seven hours, Sunday first; an empty list is no week. A set of weekdays is a number whose bit 0 is Sunday.
CREATE OR REPLACE MACRO pl_week(hours_) AS CASE WHEN len(hours_) > 0 THEN hours_ END;
CREATE OR REPLACE MACRO pl_hours_on(week_hours_, day_) AS week_hours_[dayofweek(day_) + 1];
-- The hours of a week in millionths of an hour.
CREATE OR REPLACE MACRO pl_week_units(week_hours_) AS
  CAST((week_hours_[1] + week_hours_[2] + week_hours_[3] + week_hours_[4] + week_hours_[5] + week_hours_[6] + week_hours_[7]) * 1000000 AS BIGINT);
CREATE OR REPLACE MACRO pl_work_weekdays(week_hours_) AS
  CAST(week_hours_[1] > 0 AS INTEGER) + 2 * CAST(week_hours_[2] > 0 AS INTEGER) + 4 * CAST(week_hours_[3] > 0 AS INTEGER)
  + 8 * CAST(week_hours_[4] > 0 AS INTEGER) + 16 * CAST(week_hours_[5] > 0 AS INTEGER) + 32 * CAST(week_hours_[6] > 0 AS INTEGER)
  + 64 * CAST(week_hours_[7] > 0 AS INTEGER);
-- One bit per day, shifted to the weekday of the first day; bits shifted out at the top come in again at the bottom.
CREATE OR REPLACE MACRO pl_weekdays_between(first_, last_) AS
  CASE
    WHEN last_ - first_ >= 6 THEN 127
    ELSE (((1 << CAST(last_ - first_ + 1 AS INTEGER)) - 1) << pl_weekday(first_))
      | (((1 << CAST(last_ - first_ + 1 AS INTEGER)) - 1) >> (7 - pl_weekday(first_)))
  END;
CREATE OR REPLACE MACRO pl_has_common_weekday(set_, other_set_) AS (set_ & other_set_ & 127) <> 0;
CREATE OR REPLACE MACRO pl_has_weekday(set_, weekday_) AS (set_ >> weekday_) & 1 = 1;

-- Rounds half away from zero to the currency's minor unit (A1). Each branch has its own cast: a single cast around the CASE has a wider
-- type and is three times slower.
CREATE OR REPLACE MACRO pl_round_money(amount_, minor_units_) AS
  CASE minor_units_
    WHEN 0 THEN CAST(round(amount_, 0) AS DECIMAL(18, 4))
    WHEN 2 THEN CAST(round(amount_, 2) AS DECIMAL(18, 4))
    WHEN 3 THEN CAST(round(amount_, 3) AS DECIMAL(18, 4))
    WHEN 4 THEN CAST(round(amount_, 4) AS DECIMAL(18, 4))
  END;

-- Hours times a rate. The product of most fits 64 bits, which DuckDB rounds fifty times as fast as 128 bits: a day at a rate below four million.
CREATE OR REPLACE MACRO pl_is_short_product(rate_) AS rate_ < 4000000;
CREATE OR REPLACE MACRO pl_long_product(hours_, rate_) AS CAST(hours_ AS DECIMAL(38, 6)) * rate_;
CREATE OR REPLACE MACRO pl_amount(hours_, rate_, minor_units_) AS
  CASE
    WHEN pl_is_short_product(rate_) THEN pl_round_money(CAST(hours_ AS DECIMAL(10, 6)) * rate_, minor_units_)
    ELSE pl_round_money(pl_long_product(hours_, rate_), minor_units_)
  END;
-- Amount that rounding has taken from this product; null without a rate.
CREATE OR REPLACE MACRO pl_rounded_off(hours_, rate_, amount_) AS
  CASE
    WHEN pl_is_short_product(rate_) THEN CAST(CAST(hours_ AS DECIMAL(10, 6)) * rate_ - CAST(amount_ AS DECIMAL(18, 10)) AS DECIMAL(18, 10))
    ELSE CAST(pl_long_product(hours_, rate_) - amount_ AS DECIMAL(18, 10))
  END;

-- A decimal below a hundred million in millionths, by 64-bit integers: in two steps, since 15 digits by a million are too many for them.
CREATE OR REPLACE MACRO pl_short_units(value_) AS
  CAST(CAST(value_ * 1000 AS DECIMAL(14, 3)) * 1000 AS BIGINT);
-- Hours and money as whole numbers: millionths of hours, of less than a hundred million, and minor units of the currency. In 64 bits, which
-- are divided in a tenth of the time of 128.
CREATE OR REPLACE MACRO pl_hour_units(hours_) AS pl_short_units(CAST(hours_ AS DECIMAL(14, 6)));
CREATE OR REPLACE MACRO pl_minor_step(minor_units_) AS CASE minor_units_ WHEN 0 THEN 10000 WHEN 2 THEN 100 WHEN 3 THEN 10 WHEN 4 THEN 1 END;
CREATE OR REPLACE MACRO pl_money_units(amount_, minor_units_) AS CAST(CAST(amount_ AS DECIMAL(38, 4)) * 10000 AS BIGINT) // pl_minor_step(minor_units_);
CREATE OR REPLACE MACRO pl_money_of_units(units_, minor_units_) AS
  CAST(CAST(units_ * pl_minor_step(minor_units_) AS DECIMAL(18, 0)) * CAST(0.0001 AS DECIMAL(4, 4)) AS DECIMAL(18, 4));
-- The share of whole units that a part has of a whole, rounded half away from zero. Exact; null if whole is 0. Part and whole are whole numbers, and
-- never negative. Each argument stands as seldom as can be: a statement takes time and memory for each operation in it, however few its rows.
CREATE OR REPLACE MACRO pl_share_of_units(units_, part_, whole_) AS
  CASE
    WHEN abs(CAST(units_ AS HUGEINT) * part_) < 1000000000000000000 AND whole_ < 1000000000000000000 THEN
      (2 * CAST(CAST(units_ AS HUGEINT) * part_ AS BIGINT) + sign(units_) * CAST(whole_ AS BIGINT)) // nullif(2 * CAST(whole_ AS BIGINT), 0)
    ELSE (2 * CAST(units_ AS HUGEINT) * part_ + sign(units_) * whole_) // nullif(2 * CAST(whole_ AS HUGEINT), 0)
  END;

-- part / whole x 100, rounded half away from zero to 2 decimals. Exact, by integer division of halves of hundredths of a percent, which
-- are made even away from zero. Null if whole is 0. The sign is that of the quotient. Each argument stands once: a report has a dozen of
-- percentages, and a statement that begins takes memory for each operation of theirs.
CREATE OR REPLACE MACRO pl_percent_of_units(part_, whole_, sign_) AS
  CAST((20000 * part_ // nullif(whole_, 0) + sign_) // 2 AS DECIMAL(36, 0)) * CAST(0.01 AS DECIMAL(2, 2));
-- Below a hundred million, 64-bit integers suffice, which divide ten times as fast as 128-bit ones.
CREATE OR REPLACE MACRO pl_percent(part_, whole_) AS
  CASE
    WHEN abs(part_) < 100000000 AND abs(whole_) < 100000000 THEN
      pl_percent_of_units(pl_short_units(CAST(part_ AS DECIMAL(14, 6))), pl_short_units(CAST(whole_ AS DECIMAL(14, 6))), sign(part_) * sign(whole_))
    ELSE pl_percent_of_units(CAST(part_ * 1000000 AS HUGEINT), CAST(whole_ * 1000000 AS HUGEINT), sign(part_) * sign(whole_))
  END;

-- A decimal in millionths. Below a hundred million it is multiplied as a 64-bit number, in a thirtieth of the time.
CREATE OR REPLACE MACRO pl_units(value_) AS
  CASE
    WHEN abs(value_) < 100000000 THEN CAST(pl_short_units(CAST(value_ AS DECIMAL(14, 6))) AS HUGEINT)
    ELSE CAST(value_ * 1000000 AS HUGEINT)
  END;
-- part / whole x 100 less other_part / other_whole x 100, rounded once, half away from zero to 2 decimals. Exact. Null if a whole is 0.
-- Below ten billion, 128-bit integers hold the products of the common denominator. The cast rounds halves of hundredths of a percent.
CREATE OR REPLACE MACRO pl_points(part_, whole_, other_part_, other_whole_) AS
  CASE
    WHEN abs(part_) < 10000000000 AND abs(whole_) < 10000000000 AND abs(other_part_) < 10000000000 AND abs(other_whole_) < 10000000000 THEN
      CAST(
        CAST(
          20000 * (pl_units(part_) * pl_units(other_whole_) - pl_units(other_part_) * pl_units(whole_))
            // nullif(pl_units(whole_) * pl_units(other_whole_), 0) AS DECIMAL(35, 0)
        ) * CAST(0.005 AS DECIMAL(3, 3)) AS DECIMAL(38, 2)
      )
    WHEN whole_ <> 0 AND other_whole_ <> 0 THEN
      CAST(
        pl_quotient_difference(
          CAST(part_ * 1000000 AS HUGEINT) * 10000 * CAST(sign(whole_) AS HUGEINT), CAST(abs(whole_) * 1000000 AS HUGEINT),
          CAST(other_part_ * 1000000 AS HUGEINT) * 10000 * CAST(sign(other_whole_) AS HUGEINT), CAST(abs(other_whole_) * 1000000 AS HUGEINT)
        ) AS DECIMAL(36, 0)
      ) * CAST(0.01 AS DECIMAL(2, 2))
  END;
-- a / b - c / d in whole numbers, rounded half away from zero; b and d are positive. The quotients are subtracted first, then the
-- difference f of what remains, r / b - s / d, which is between -1 and 1, is compared with 1/2 and -1/2. list_transform names values.
CREATE OR REPLACE MACRO pl_quotient_difference(a_, b_, c_, d_) AS
  list_transform(
    list_transform(
      [{ 'a': a_, 'b': b_, 'c': c_, 'd': d_, 'r': (a_ % b_ + b_) % b_, 's': (c_ % d_ + d_) % d_ }],
      lambda n: {
        'quotient': (n.a - n.r) // n.b - (n.c - n.s) // n.d,
        'above_half': pl_compare_products(2 * n.r - n.b, n.d, 2 * n.s, n.b),
        'above_minus_half': pl_compare_products(2 * n.r + n.b, n.d, 2 * n.s, n.b)
      }
    ),
    lambda n: n.quotient + CASE
      WHEN n.above_half > 0 OR (n.above_half = 0 AND n.quotient >= 0) THEN 1
      WHEN n.above_minus_half < 0 OR (n.above_minus_half = 0 AND n.quotient <= 0) THEN -1
      ELSE 0
    END
  )[1];
-- The sign of x * y - z * w, whose products may have 72 digits: as three parts of 18 digits and more, carried upwards.
CREATE OR REPLACE MACRO pl_compare_products(x_, y_, z_, w_) AS
  list_transform(
    list_transform(
      [{
        'high': (x_ // 1000000000000000000) * (y_ // 1000000000000000000) - (z_ // 1000000000000000000) * (w_ // 1000000000000000000),
        'middle': (x_ // 1000000000000000000) * (y_ % 1000000000000000000) + (x_ % 1000000000000000000) * (y_ // 1000000000000000000)
          - (z_ // 1000000000000000000) * (w_ % 1000000000000000000) - (z_ % 1000000000000000000) * (w_ // 1000000000000000000),
        'low': (x_ % 1000000000000000000) * (y_ % 1000000000000000000) - (z_ % 1000000000000000000) * (w_ % 1000000000000000000)
      }],
      lambda p: { 'high': p.high, 'middle': p.middle + p.low // 1000000000000000000, 'low': p.low % 1000000000000000000 }
    ),
    lambda p: COALESCE(
      nullif(sign(p.high + p.middle // 1000000000000000000), 0), nullif(sign(p.middle % 1000000000000000000), 0), sign(p.low)
    )
  )[1];

-- The texts of a list as one text.
CREATE OR REPLACE MACRO pl_join_texts(texts_) AS array_to_string(texts_, '; ');

-- A decimal as text, without trailing zeros.
CREATE OR REPLACE MACRO pl_plain_decimal(value_) AS rtrim(rtrim(CAST(value_ AS VARCHAR), '0'), '.');
