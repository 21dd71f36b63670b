import type { Catalogue } from '../report/catalogue.ts';
export function describeApi(_catalogue: Catalogue): object {
  return { openapi: '3.1.0', info: { title: 'Plumbline', version: '0' }, paths: {} };
}
