-- One row: the company, with the number of decimals of its currency's minor unit (A1).
-- ISO 4217: 2 decimals, except for the listed currencies; src/records/resource/currencies.ts lists all. The lists are texts, because an engine joins a list
-- of values like a table, and nearly every statement reads this relation. A code has three letters, so it can match only a whole entry.
-- part: all
-- copied: without rates
SELECT
  name,
  currency,
  CASE
    WHEN position(currency IN 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF') > 0 THEN 0
    WHEN position(currency IN 'BHD IQD JOD KWD LYD OMR TND') > 0 THEN 3
    WHEN position(currency IN 'CLF UYW') > 0 THEN 4
    ELSE 2
  END AS minor_units,
  time_zone,
  week_starts_on,
  fiscal_year_starts_in,
  week_hours
FROM staging.settings
