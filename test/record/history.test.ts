import { testHistory } from './history.ts';

testHistory(30);
