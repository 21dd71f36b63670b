import { AppError } from '../../../base/index.ts';
import { type ProcessEnd, startJobProcess } from '../../../base/jobs/index.ts';
import { converse } from '../../counterpart/converse.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import { findFixedFolder } from '../message/target-key.ts';
import type { FolderJob } from './folder-writer.ts';
import { idOfSending, type SendingContext } from './sending-context.ts';

/** The memory of the JavaScript of a process that copies files into a folder. Unit: MiB. */
const FOLDER_MEMORY_MIB = 64;

/** The part of a sending's name that stands in names of files. Unit: characters. */
const MARK_LENGTH = 16;

/**
 * Puts the files into a folder, each renamed into place, by a process of its own: a call to a disk that hangs can't be ended, and
 * would hold up this one, or its end.
 * @throws AppError storage; source for a folder that doesn't answer.
 */
export async function sendToFolder(
  message: Extract<DeliveryMessage, { kind: 'folder' | 's3' }>,
  context: SendingContext,
): Promise<'sent'> {
  const { folder, plan, limits } = context;
  const { place, files } = message;
  const mark = idOfSending(message, context).slice(0, MARK_LENGTH);
  const job: FolderJob = { place, fixed: findFixedFolder(plan.targets, place), folder, files, mark };
  const writing = startJobProcess({
    program: 'folder-child.js',
    memoryMib: FOLDER_MEMORY_MIB,
    endError: (end) => endError(place, end),
  });
  try {
    await converse(`The folder ${place}`, context, limits.filesMs, async ({ step }) => {
      step('to say what is there', limits.answerMs);
      await writing.run(job, () => step('to take everything', limits.filesMs));
    });
  } finally {
    writing.abandon();
  }
  return 'sent';
}

function endError(place: string, { cause }: ProcessEnd): AppError {
  const hint = 'It is tried again. If it happens again, the log of the system tells more.';
  return new AppError('storage', `The process that writes into ${place} ended before it was done`, { hint, cause });
}
