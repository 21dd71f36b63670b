import { findResource } from '../../resource/resources.ts';
import { refuseHeld } from './held.ts';
import type { Rules } from './rules.ts';

export const clientRules: Rules = {
  release: (transaction, before) => refuseHeld(transaction, findResource('clients'), before),
};
