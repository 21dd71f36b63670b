import { readSettings } from '../../config/setting.ts';
import { DELIVERY_SETTINGS } from '../../config/settings.ts';
import { AppError } from '../../error.ts';
import type { Flags } from '../command.ts';

/** Returns the file of deliveries that flags or environment name. @throws AppError usage without one. */
export function readDeliveriesFile(flags: Flags): string {
  const { deliveriesFile } = readSettings(DELIVERY_SETTINGS, flags, process.env);
  if (deliveriesFile !== undefined) return deliveriesFile;
  throw new AppError('usage', 'There is no file that says what is sent', {
    hint: 'Name it with --deliveries deliveries.yaml, or set PLUMBLINE_DELIVERIES.',
  });
}
