-- One row per type of person.
SELECT people_type_id, people_type
FROM (
  VALUES (1, 'employee'), (2, 'contractor'), (3, 'placeholder'), (4, 'role placeholder')
) AS people_types (people_type_id, people_type)
