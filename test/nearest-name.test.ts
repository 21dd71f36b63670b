import { describe, expect, it } from 'vitest';
import { askNearest, listNames } from '../src/base/nearest-name.ts';

const FEW = ['start-date', 'end-date', 'group-by'];
const MANY = Array.from({ length: 60 }, (_, index) => `measure_${index}`);

describe('the question about an unknown name', () => {
  it.each([
    ['strat-date', ' (did you mean start-date?)'],
    ['Group_By', ' (did you mean group-by?)'],
    ['frobnicate', ''],
    ['', ''],
    // Longer texts are compared with nothing, whatever they begin with.
    [`start-date${' '.repeat(100)}`, ''],
  ])('of %j is %j', (text, question) => {
    expect(askNearest(text, FEW)).toBe(question);
    expect(listNames(text, FEW)).toBe(`start-date, end-date, group-by${question}`);
  });

  it('takes the first of two that are as near, and marks it as it is written', () => {
    expect(askNearest('measure_xx', MANY.slice(10, 20), '--')).toBe(' (did you mean --measure_10?)');
  });

  it('is asked of a long list, too, and not of a list of one name', () => {
    expect(listNames('mesure_41', MANY)).toMatch(/^measure_41, .* and 52 others \(did you mean measure_41\?\)$/);
    expect(listNames('strat-date', ['start-date'])).toBe('start-date');
  });
});
