-- Types whose words come from the records: made after the load of the records, before the models.

-- A contract names the source of its cost rate in its own words (R3).
CREATE OR REPLACE TYPE cost_rate_source AS ENUM (
  SELECT cost_rate_from FROM source.contracts WHERE cost_rate_from IS NOT NULL
  UNION SELECT 'person' UNION SELECT 'role' UNION SELECT 'none'
  ORDER BY cost_rate_from
);
CREATE OR REPLACE MACRO pl_cost_rate_source(word_) AS CAST(word_ AS cost_rate_source);
