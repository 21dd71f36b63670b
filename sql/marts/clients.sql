-- One row per client.
SELECT client_id, name AS client
FROM staging.clients
