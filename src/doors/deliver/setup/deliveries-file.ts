import { type FlagValues, optional, parseText, readSettings, type Settings } from '../../../base/config/index.ts';
import { AppError } from '../../../base/index.ts';

/** The file that says what is sent when, which servers and commands that deliver read. */
export const DELIVERY_SETTINGS = {
  deliveriesFile: {
    flag: 'deliveries',
    variable: 'PLUMBLINE_DELIVERIES',
    default: '',
    argument: 'FILE',
    help: 'The file that says which reports are sent when, and where.',
    parse: optional(parseText),
  },
} satisfies Settings;

/** Returns the file of deliveries that flags or environment name. @throws AppError usage without one. */
export function readDeliveriesFile(flags: FlagValues): string {
  const { deliveriesFile } = readSettings(DELIVERY_SETTINGS, flags, process.env);
  if (deliveriesFile !== undefined) return deliveriesFile;
  throw new AppError('usage', 'There is no file that says what is sent', {
    hint: 'Name it with --deliveries deliveries.yaml, or set PLUMBLINE_DELIVERIES.',
  });
}
