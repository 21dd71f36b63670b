import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;

/** Returns the SHA-256 of a file, in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const file = await open(path);
  try {
    for (let end = false; !end; ) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
      hash.update(chunk.subarray(0, bytesRead));
      end = bytesRead === 0;
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}
