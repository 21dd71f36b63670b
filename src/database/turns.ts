/** Runs works one after the other, in the order they were given, whether or not those before them failed. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes turns that works are run in. */
export function takeTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
