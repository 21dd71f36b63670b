import { testKills } from '../../errors/kill.ts';

testKills(100);
