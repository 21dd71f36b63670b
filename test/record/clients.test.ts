import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

/** Ways of clients written for the original API that no sentence of it asks for. */
describe('clients of the original API', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({ people: [{ people_id: 1, name: 'Ann' }] });
  });
  afterAll(() => service.close());

  it.each(['people?page=9', 'projects', 'deleted/tasks'])(
    'read pages until %s is two characters long',
    async (path) => {
      expect((await service.call('GET', `/v3/${path}`)).text).toBe('[]');
    },
  );
});
