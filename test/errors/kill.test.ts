import { testKills } from './kill.ts';

testKills(6);
