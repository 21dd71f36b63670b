/**
 * SQL of the table of rates that a source without days was seen to change (P6), which the database itself keeps: each load and sync takes over
 * the rows of the one before. level says who holds the rate: role, person, project and phase their own record (id), project_team, phase_team
 * and rate_card an item of the record that people_id, phase_id and role_id name; 0 for none.
 *
 * state dated    the rate holds from effective_date on: the list of the record's dated rates has it
 *       always   the rate is the one without a day
 *       removed  the rate doesn't count; later changes are seen by it
 */
export const CREATE_SEEN_RATES = `CREATE TABLE IF NOT EXISTS source.seen_rates (
  entry_id BIGINT NOT NULL, level VARCHAR NOT NULL, id BIGINT NOT NULL, people_id BIGINT NOT NULL, phase_id BIGINT NOT NULL, role_id BIGINT NOT NULL,
  effective_date DATE NOT NULL, rate_before DECIMAL(18,4), rate DECIMAL(18,4), first_seen TIMESTAMP NOT NULL, source VARCHAR NOT NULL,
  state VARCHAR NOT NULL)`;
