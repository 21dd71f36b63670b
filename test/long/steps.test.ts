import { testDeaths, testFailures } from '../live/steps.ts';

testDeaths(['before', 'after']);
testFailures(['EIO', 'ENOSPC'], ['before', 'after']);
