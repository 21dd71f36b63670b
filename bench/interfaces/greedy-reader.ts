/*
 * A reader who asks for as much as the limits let him, until he is killed: `node dist/bench/interfaces/greedy-reader.js TOKEN URL...`.
 */

/** The requests open at once for each address: more than the server computes for one reader. */
const OPEN_EACH = 6;

const [token = '', ...urls] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}` };

async function askAgain(url: string): Promise<never> {
  // The limits refuse some of the requests.
  for (;;)
    await fetch(url, { headers }).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    );
}

process.on('disconnect', () => process.exit());
await Promise.all(urls.flatMap((url) => Array.from({ length: OPEN_EACH }, () => askAgain(url))));
