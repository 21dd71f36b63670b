-- One row per repeat state with repeats: its step in days or in months (D2).
SELECT repeat_state, step_days, step_months
FROM (
  VALUES (1, 7, 0), (2, 0, 1), (3, 14, 0), (4, 21, 0), (5, 42, 0), (6, 0, 2), (7, 0, 3), (8, 0, 6), (9, 0, 12)
) AS steps (repeat_state, step_days, step_months)
