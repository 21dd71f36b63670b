import { testDamage } from '../../ingest/damage.ts';

testDamage(400);
