import { findResource } from '../../../records/resource/index.ts';
import { fieldFault } from '../body.ts';
import { refuseHeld } from './held.ts';
import type { Rules } from './rules.ts';

const resource = findResource('project_stages');

export const stageRules: Rules = {
  async complete(transaction, { values }, before) {
    const { status = before?.['status'] } = values;
    if (before && status !== before['status']) {
      const inside = await transaction.rows(
        `SELECT project_id FROM source.projects WHERE stage_id = ${before[resource.id]}`,
      );
      if (inside.length > 0)
        throw fieldFault(
          'status',
          `projects are still in this stage (${inside.length}); move them to another stage first`,
        );
    }
    return values;
  },
  release: (transaction, before) => refuseHeld(transaction, resource, before),
};
