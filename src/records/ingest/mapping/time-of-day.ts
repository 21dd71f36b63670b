/** A time of day, with its distance from UTC if the text says it. */
export interface TimeOfDay {
  /** Unit: seconds since midnight. */
  readonly seconds: number;
  /** As +02:00 or Z. */
  readonly offset: string | undefined;
}

/** A day with its time, if it has one. */
export interface Moment {
  readonly day: string;
  readonly time: TimeOfDay | undefined;
}

/** Matches 9:00, 09:00:30.000, 9:00 AM, and each of them with Z, GMT or an offset. */
const TIME =
  /^(?<hours>[0-9]{1,2}):(?<minutes>[0-5][0-9])(?::(?<seconds>[0-5][0-9])(?:[.,][0-9]{1,9})?)?(?: ?(?<half>[AP])\.?M\.?)?(?: ?(?<offset>Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?$/i;

/** Parses a time of day; undefined for a text that is none. */
export function parseTimeOfDay(text: string): TimeOfDay | undefined {
  const { hours = '', minutes = '', seconds = '0', half, offset } = TIME.exec(text)?.groups ?? {};
  const isAfternoon = half?.toUpperCase() === 'P';
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0);
  if (hours === '' || Number(hours) > (half === undefined ? 24 : 12)) return undefined;
  return {
    seconds: hour * 3600 + Number(minutes) * 60 + Number(seconds),
    offset: offset === undefined ? undefined : plainOffset(offset),
  };
}

/** Returns an offset as ISO 8601 has it. */
function plainOffset(offset: string): string {
  if (/^[zug]/i.test(offset)) return 'Z';
  return offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
}
