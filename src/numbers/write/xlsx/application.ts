/** The program that writes workbooks, as their properties name it. */
export const APPLICATION = 'Plumbline';
