-- One row per client.
SELECT client_id, name
FROM source.clients
