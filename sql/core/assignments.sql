-- One row per combination of person, project and phase that occurs: the role and the rate that don't depend on the day.
-- stored: table
-- R2: the team role is that of the person's item in the phase's team, or else in the project's.
-- R4: the first bill rate that isn't null of the phase's team, the phase, the project's team, the project, the person and the team role.
-- S2: nothing in a non-billable project or phase is billable.
-- Without a team role, the role depends on the day: core.priced chooses it and its rate.
SELECT
  participations.people_id,
  participations.project_id,
  participations.phase_id,
  COALESCE(phase_team.role_id, project_team.role_id) AS team_role_id,
  COALESCE(
    phase_team.hourly_rate,
    phases.default_hourly_rate,
    project_team.hourly_rate,
    projects.default_hourly_rate,
    people.default_hourly_rate,
    team_roles.default_hourly_rate
  ) AS bill_rate,
  pl_bill_rate_source(
    CASE
      WHEN phase_team.hourly_rate IS NOT NULL THEN 'phase_team'
      WHEN phases.default_hourly_rate IS NOT NULL THEN 'phase'
      WHEN project_team.hourly_rate IS NOT NULL THEN 'project_team'
      WHEN projects.default_hourly_rate IS NOT NULL THEN 'project'
      WHEN people.default_hourly_rate IS NOT NULL THEN 'person'
      WHEN team_roles.default_hourly_rate IS NOT NULL THEN 'role'
    END
  ) AS bill_rate_source,
  COALESCE(projects.is_non_billable, FALSE) OR COALESCE(phases.is_non_billable, FALSE) AS is_non_billable
FROM core.participations
JOIN core.people ON people.people_id = participations.people_id
LEFT JOIN core.phase_team ON phase_team.phase_id = participations.phase_id AND phase_team.people_id = participations.people_id
LEFT JOIN staging.phases ON phases.phase_id = participations.phase_id
LEFT JOIN core.project_team ON project_team.project_id = participations.project_id AND project_team.people_id = participations.people_id
LEFT JOIN staging.projects ON projects.project_id = participations.project_id
LEFT JOIN staging.roles AS team_roles ON team_roles.role_id = COALESCE(phase_team.role_id, project_team.role_id)
