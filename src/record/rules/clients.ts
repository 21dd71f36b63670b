import { findShape } from '../shape.ts';
import { refuseHeld } from './held.ts';
import type { Rules } from './rules.ts';

export const clientRules: Rules = {
  release: (transaction, before) => refuseHeld(transaction, findShape('clients'), before),
};
