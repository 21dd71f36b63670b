import { testHistory } from '../../record/history.ts';

testHistory(600);
