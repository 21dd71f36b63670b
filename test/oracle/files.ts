import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset, RawRecord } from './dataset.ts';
import { Prng } from './prng.ts';

/** Writes a dataset as JSON files (1.1): some paged, some line by line, some spelled with `-`. */
export async function writeDataset(dataset: Dataset, directory: string, seed: number): Promise<void> {
  const random = new Prng(seed ^ 0x2545f491);
  await mkdir(directory, { recursive: true });
  for (const [resource, content] of Object.entries(dataset) as [string, RawRecord | RawRecord[]][]) {
    const name = random.chance(0.2) ? resource.replaceAll('_', '-') : resource;
    const form = random.pick(['array', 'array', 'array', 'lines', 'pages']);
    const path = (suffix: string): string => join(directory, `${name}${suffix}`);
    if (!Array.isArray(content)) {
      await writeFile(path('.json'), JSON.stringify(content));
    } else if (form === 'pages') {
      const half = Math.floor(content.length / 2);
      await writeFile(path('.1.json'), JSON.stringify(content.slice(0, half)));
      await writeFile(path('.2.json'), JSON.stringify(content.slice(half)));
    } else if (form === 'lines') {
      await writeFile(path('.ndjson'), content.map((record) => `${JSON.stringify(record)}\n`).join(''));
    } else {
      await writeFile(path('.json'), JSON.stringify(content, null, random.chance(0.5) ? 2 : undefined));
    }
  }
}
