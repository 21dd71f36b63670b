-- One row per account. A project's manager is an account.
SELECT account_id AS project_manager, name AS project_manager_name
FROM staging.accounts
