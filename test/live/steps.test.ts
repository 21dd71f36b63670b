import { testDeaths, testFailures } from './steps.ts';

testDeaths(['before']);
testFailures(['EIO'], ['after']);
