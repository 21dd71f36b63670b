-- One row per retainer, with the words that hold where none is given.
SELECT
  retainer_id,
  project_id,
  COALESCE(phase_id, 0) AS phase_id,
  COALESCE(unit, 'hours') AS unit,
  COALESCE("every", 'month') AS period,
  start_date,
  end_date,
  COALESCE(counts, 'billable') AS counts,
  COALESCE(rollover, 'none') AS rollover,
  expires_after,
  COALESCE("first", 'whole') AS first_period,
  COALESCE(recognise, 'evenly') AS recognise,
  COALESCE(overage, 'free') AS overage
FROM source.retainers
