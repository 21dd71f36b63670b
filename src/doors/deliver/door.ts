import type { Door } from '../command/command.ts';
import { RUNS } from './runs-relation.ts';
import { DELIVERY_SETTINGS } from './setup/deliveries-file.ts';

/** Reports that are sent by themselves: by `plumbline deliver`, or by a server, which lists them at /v3/deliveries. */
export const DELIVER: Door = {
  commands: {
    deliver: {
      summary: 'Send reports that are due.',
      load: async () => (await import('./command/deliver-command.ts')).deliver,
    },
    deliveries: {
      summary: 'List deliveries, or check their file.',
      load: async () => (await import('./command/deliveries-command.ts')).deliveries,
    },
  },
  settings: DELIVERY_SETTINGS,
  relations: [RUNS],
  routes: async () => (await import('./routes/deliveries-routes.ts')).registerDeliveries,
};
