-- One row: the day of the last load or change of the records, in the company's time zone.
-- It is today to the models: they compute the same from the same records whenever they are built. A report takes the clock's today.
SELECT pl_day_in(settings.time_zone, generation.loaded_at) AS loaded_date
FROM source.generation
CROSS JOIN core.settings
