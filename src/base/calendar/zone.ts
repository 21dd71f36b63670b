/*
 * Moments in the time zone of a company: the day that they are on, and the time between two of them over a change of the clocks.
 */

/** A time zone, as IANA names it. */
export interface TimeZone {
  /** Returns the day at a moment, as YYYY-MM-DD. @param ms Since 1970. */
  dayAt(ms: number): string;
  /** Returns the moment of a day and a time there; a time that the clocks skip is that much later. Unit: ms since 1970. */
  momentOf(day: string, seconds: number): number;
}

const MINUTE_MS = 60_000;

export function openZone(timeZone: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const partsAt = (ms: number) => new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const dayAt = (ms: number) => {
    const parts = partsAt(ms);
    return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  };
  /** Returns the time by which the zone is ahead of UTC. */
  const offsetAt = (ms: number) => {
    const parts = partsAt(ms);
    const local = `${dayAt(ms)}T${parts.get('hour')}:${parts.get('minute')}:${parts.get('second')}Z`;
    return Math.round((Date.parse(local) - ms) / MINUTE_MS) * MINUTE_MS;
  };
  return {
    dayAt,
    momentOf(day, seconds) {
      const local = Date.parse(`${day}T00:00:00Z`) + seconds * 1000;
      return local - offsetAt(local - offsetAt(local));
    },
  };
}
