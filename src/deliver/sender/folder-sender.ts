import { existsSync, statSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeError } from '../../database/engine-errors.ts';
import { AppError } from '../../error.ts';
import { replaceFile } from '../../replace-file.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import type { SendingContext } from './sending-context.ts';

const ELSEWHERE = 'name another folder in deliveries.yaml';

/** Puts the files into a folder, each renamed into place. @throws AppError storage */
export async function sendToFolder(
  { place, files }: Extract<DeliveryMessage, { kind: 'folder' | 's3' }>,
  { folder, plan }: SendingContext,
): Promise<'sent'> {
  const fixed = fixedFolder(plan, place);
  for (const path of [fixed, place])
    if (existsSync(path) && !statSync(path).isDirectory())
      throw new AppError('storage', `${path} is no folder`, { hint: 'Name a folder in deliveries.yaml.' });
  // A folder that isn't there may be a disk that isn't mounted, and files would land on another one.
  if (!existsSync(fixed)) {
    throw new AppError('storage', `There is no folder ${fixed}`, {
      hint: 'Make the folder, or mount its disk; folders below it that are named after a period are made.',
    });
  }
  try {
    await mkdir(place, { recursive: true });
    for (const { name, stored } of files) {
      const part = join(place, `.${name}.part-${process.pid}`);
      await replaceFile(join(place, name), (next) => copyFile(join(folder, stored), next), part);
    }
  } catch (error) {
    throw error instanceof AppError ? error : writeError(place, error, ELSEWHERE);
  }
  return 'sent';
}

/** Returns the part of a place before the first folder whose name depends on the delivery. */
function fixedFolder({ targets }: SendingContext['plan'], place: string): string {
  for (const target of targets) {
    if (target.kind !== 'folder') continue;
    const [fixed = ''] = target.place.split('{');
    if (target.place === place) return place;
    if (target.place.includes('{') && place.startsWith(fixed)) return fixed.endsWith('/') ? fixed : dirname(fixed);
  }
  return place;
}
