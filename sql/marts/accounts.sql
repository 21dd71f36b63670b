-- One row per account; a project's manager is one.
SELECT account_id AS project_manager, name AS project_manager_name
FROM staging.accounts
