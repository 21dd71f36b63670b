-- One row: the company, with the number of decimals of its currency's minor unit (A1).
-- ISO 4217: 2, but for the currencies named here.
SELECT
  name,
  currency,
  CASE
    WHEN currency IN (
      'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'
    ) THEN 0
    WHEN currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 3
    WHEN currency IN ('CLF', 'UYW') THEN 4
    ELSE 2
  END AS minor_units,
  time_zone,
  week_starts_on,
  fiscal_year_starts_in,
  sunday_hours,
  monday_hours,
  tuesday_hours,
  wednesday_hours,
  thursday_hours,
  friday_hours,
  saturday_hours
FROM staging.settings
