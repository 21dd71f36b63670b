import { testMacroLists } from '../../report/macro-lists.ts';

testMacroLists(1);
