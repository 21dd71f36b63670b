import { testMacroLists } from './macro-lists.ts';

// Three parameters take texts: together they take every one.
testMacroLists(3);
