/** One end of a line between two threads. */
export interface Port {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Messages both ways, in order; a sender waits while too many of its own are on their way. */
export interface Channel<Out, In> {
  /** Resolves when there is room for more. @throws what fail() was given. */
  send(message: Out, transfer?: readonly ArrayBuffer[]): Promise<void>;
  /** What the other end sends; throws what fail() was given. */
  readonly received: AsyncIterable<In>;
  /** Ends all waiting, now and later. The first failure counts. */
  fail(error: unknown): void;
}

/** What really goes over the line: a message, or the word that one was taken. */
type Envelope<T> = { readonly message: T } | { readonly taken: true };

/** Opens a channel over a port. @param window The most messages of one sender on their way. Unit: messages. */
export function openChannel<Out, In>(port: Port, window: number): Channel<Out, In> {
  const queue: In[] = [];
  let underWay = 0;
  let failure: { readonly error: unknown } | undefined;
  let wake: () => void = () => undefined;
  let changed = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const change = () => {
    wake();
    changed = new Promise((resolve) => {
      wake = resolve;
    });
  };
  port.on('message', (data) => {
    const envelope = data as Envelope<In>;
    if ('taken' in envelope) underWay -= 1;
    else queue.push(envelope.message);
    change();
  });
  const waitUntil = async (isReady: () => boolean) => {
    while (!failure && !isReady()) await changed;
    if (failure) throw failure.error;
  };
  return {
    async send(message, transfer) {
      await waitUntil(() => underWay < window);
      underWay += 1;
      port.postMessage({ message } satisfies Envelope<Out>, transfer);
    },
    received: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          await waitUntil(() => queue.length > 0);
          const message = queue.shift() as In;
          yield message;
          port.postMessage({ taken: true } satisfies Envelope<Out>);
        }
      },
    },
    fail(error) {
      failure ??= { error };
      change();
    },
  };
}
