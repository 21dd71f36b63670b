/*
 * Not negotiator (1.1.0, MIT): it answers 406 to `text/csv;charset=utf-8`, chooses among formats of equal
 * quality by the client's order and not by ours, and takes 2 to 3 times as long (7 against 3 µs).
 */

/** A media range of an Accept header, with its quality from 0 to 1. */
interface Range {
  readonly type: string;
  readonly quality: number;
}

/**
 * Returns the first offer of the highest quality by an Accept header; undefined when none is accepted.
 * @param accept The header; a client without one accepts anything.
 */
export function chooseOffer<Offer extends { readonly mediaType: string }>(
  accept: string | undefined,
  offers: readonly Offer[],
): Offer | undefined {
  const ranges = parseAccept(accept || '*/*');
  let [chosen, best]: [Offer | undefined, number] = [undefined, 0];
  for (const offer of offers) {
    const quality = qualityOf(ranges, offer.mediaType);
    if (quality > best) [chosen, best] = [offer, quality];
  }
  return chosen;
}

function parseAccept(accept: string): Range[] {
  return accept.split(',').map((item) => {
    const [type = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
  });
}

/** Returns the quality of a media type, from the most specific matching range. */
function qualityOf(ranges: readonly Range[], mediaType: string): number {
  const [type = ''] = mediaType.split(';');
  for (const wanted of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const range = ranges.find((each) => each.type === wanted);
    if (range) return range.quality;
  }
  return 0;
}
