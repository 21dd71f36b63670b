import { fieldFault } from '../body.ts';
import { findShape } from '../shape.ts';
import { refuseHeld } from './held.ts';
import type { Rules } from './rules.ts';

const shape = findShape('project_stages');

export const stageRules: Rules = {
  async complete(transaction, { values }, before) {
    const { status = before?.['status'] } = values;
    if (before && status !== before['status']) {
      const inside = await transaction.rows(
        `SELECT project_id FROM source.projects WHERE stage_id = ${before[shape.id]}`,
      );
      if (inside.length > 0)
        throw fieldFault('status', `${inside.length} of projects are in this stage; move them to another one first`);
    }
    return values;
  },
  release: (transaction, before) => refuseHeld(transaction, shape, before),
};
