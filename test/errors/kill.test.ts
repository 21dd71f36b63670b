import { testKills } from './kill.ts';

testKills(2);
