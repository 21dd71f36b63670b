import { AppError } from '../../base/index.ts';

/**
 * Returns an error that doesn't name the folders of a load in work, which its reader can't know: files have the names that
 * they were sent by.
 */
export function withoutFolders(error: unknown, folder: string): unknown {
  if (!(error instanceof AppError)) return error;
  const start = folder.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const place = new RegExp(`${start}/(?:(?<whole>new(?!/))|(?<load>[0-9]+)/|new/|settings/(?:first/[0-9]+/)?)?`, 'g');
  const tell = (text: string) =>
    text.replace(place, (_, whole: string | undefined, load: string | undefined) =>
      whole ? 'What was sent' : load ? `load ${load}, ` : '',
    );
  const [message = '', ...items] = error.message.split('\n  ');
  return new AppError(error.code, tell(message), {
    items: items.map(tell),
    fields: error.fields.map(({ field, message: text }) => ({ field, message: tell(text) })),
    cause: error,
    ...(error.hint === undefined ? {} : { hint: tell(error.hint) }),
  });
}
