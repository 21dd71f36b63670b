-- One row per type of person. 0 stands for no type, that of an unknown person.
-- key: people_type_id
-- part: where people_type_id = 0 OR people_type_id IN (SELECT people_type_id FROM core.named_people)
SELECT people_type_id, people_type_id > 0 AS is_known, people_type
FROM (
  VALUES (0, '(no type)'), (1, 'employee'), (2, 'contractor'), (3, 'placeholder'), (4, 'role placeholder')
) AS people_types (people_type_id, people_type)
