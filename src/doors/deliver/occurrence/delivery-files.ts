import { type FormatName, type TableFormatName, writeTable } from '../../../numbers/write/index.ts';
import type { AskedRows } from '../content/ask-rows.ts';
import { spellDays } from '../content/period-name.ts';
import type { DeliveryMessage, MessageFile } from '../message/delivery-message.ts';
import type { DeliveryTarget } from '../setup/delivery-setup.ts';
import type { Composing } from './composing.ts';

export interface WrittenFile extends MessageFile {
  readonly bytes: number;
}

/** Tests for a format of a single table; a workbook reads several by itself. */
export function isOfTable(format: FormatName): format is TableFormatName {
  return format !== 'xlsx';
}

/**
 * Writes the files of a report.
 * @param asked The answer that they are made of; undefined if none has a single table.
 */
export async function writeFiles(
  { plan, opened, outbox }: Composing,
  name: string,
  asked: AskedRows | undefined,
): Promise<WrittenFile[]> {
  const files: WrittenFile[] = [];
  for (const format of plan.formats) {
    const file = `${name}.${format}`;
    const isMade = asked && isOfTable(format);
    const bytes = isMade ? writeTable(format, asked.file(format)) : await opened.writeWorkbook();
    files.push({ name: file, stored: file, bytes: await outbox.file(file, bytes) });
  }
  return files;
}

/** Returns the files that a mail holds, and what is said of the others. */
export function attach(files: readonly WrittenFile[], maxBytes: number) {
  const isLarge = ({ bytes }: WrittenFile) => bytes > maxBytes;
  const size = (bytes: number) =>
    bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return {
    attached: files.filter((file) => !isLarge(file)),
    remarks: files
      .filter(isLarge)
      .map(({ name, bytes }) => `${name} has ${size(bytes)}, more than a mail may hold: open it from the page.`),
  };
}

export function placeMessage(
  { kind, place }: Extract<DeliveryTarget, { place: string }>,
  files: readonly WrittenFile[],
  { plan, opened }: Composing,
): DeliveryMessage {
  const filled = place.replaceAll('{name}', plan.name).replaceAll('{period}', spellDays(opened.parse({}).selection));
  return { key: `${kind}:${filled}`, kind, place: filled, files };
}
