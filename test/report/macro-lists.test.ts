import { testMacroLists } from './macro-lists.ts';

// Each parameter takes a ninth of the texts; the long test has all of them.
testMacroLists(9);
