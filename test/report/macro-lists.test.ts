import { testMacroLists } from './macro-lists.ts';

// Each parameter takes one or two of the texts; the long test has all of them.
testMacroLists(18);
