-- A department has each department above it once, and itself at distance 0.
-- checked: builds
SELECT department_id, ancestor_id, COUNT(*) AS row_count, MIN(distance) AS distance
FROM marts.department_ancestors
GROUP BY department_id, ancestor_id
HAVING COUNT(*) > 1 OR (MIN(distance) = 0) <> (department_id = ancestor_id)
