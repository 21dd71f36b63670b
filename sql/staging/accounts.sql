-- One row per account of the service.
SELECT account_id, name
FROM source.accounts
