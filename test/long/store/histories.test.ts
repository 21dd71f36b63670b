import { testHistories } from '../../refresh/histories.ts';

testHistories(26);
