import type { Page } from 'playwright-core';

/*
 * The controls of a screen, as they are found in the document by what they are: a new one is found by itself.
 */

/** A control of a screen. */
export interface Control {
  /** Its kind, its name, and its place among those of the same kind and name. */
  readonly key: string;
  readonly kind: 'link' | 'button' | 'fold' | 'choice' | 'check' | 'date' | 'text' | 'file';
  readonly name: string;
  /** The controls that one of them stands for, such as the links of a column of a table or of a menu. */
  readonly family: string;
  /** True in the frame, which is the same around all screens: the menus, and what opens them. */
  readonly isFrame: boolean;
}

/** The parts of a screen in which controls of a kind are alike: screens, periods, states, numbers of a sentence, days and filters. */
const ALIKE = JSON.stringify({ link: ['nav', 'ul.presets', 'p'], date: ['.panel'], fold: ['.panel'] });

/** Lists the controls that can be used: those of the drawer alone while it is open. */
const LIST = `(() => {
  const root = [...document.querySelectorAll('dialog')].find((each) => each.open) ?? document.body;
  const kindOf = (each) => {
    if (each.matches('summary')) return 'fold';
    if (each.matches('select')) return 'choice';
    if (each.matches('a')) return 'link';
    if (each.matches('button')) return 'button';
    if (each.type === 'file') return 'file';
    return ['checkbox', 'radio'].includes(each.type) ? 'check' : each.type === 'date' ? 'date' : 'text';
  };
  // A control of a form that writes has the name of the form in front.
  const formOf = (each) => each.closest('main form[aria-label]')?.getAttribute('aria-label');
  const nameOf = (each) => (formOf(each) ? formOf(each) + ': ' : '') + (each.getAttribute('aria-label') ?? (each.labels?.[0] ?? each).textContent ?? '').replace(/\\s+/g, ' ').trim().slice(0, 60);
  // Looked up once for each selector: a screen has thousands of links.
  const places = new Map();
  const placeOf = (each, selector) => {
    if (!places.has(selector)) places.set(selector, new Map([...root.querySelectorAll(selector)].map((found, index) => [found, index])));
    return places.get(selector).get(each.closest(selector)) ?? -1;
  };
  const familyOf = (each, kind, name) => {
    const style = kind + '.' + each.className;
    const table = each.closest('table');
    if (table && each.closest('thead')) return ['head', placeOf(each, 'table'), style].join(' ');
    if (table) {
      const cell = each.closest('td, th');
      // Weeks are columns of one kind, and numbers open in one way.
      const column = ['heat', 'plan'].find((name) => cell.classList.contains(name)) ?? (each.matches('.figure') ? 'number' : cell.cellIndex);
      return ['table', placeOf(each, 'table'), column, style].join(' ');
    }
    // Cards have sentences of their own, and charts.
    const lists = ['ul.cards', 'dl.figures', 'ul.sentences', 'svg', 'fieldset', '[role=listbox]', ...(${ALIKE}[kind] ?? [])];
    const list = lists.find((selector) => each.closest(selector));
    return list ? [list, placeOf(each, list), style].join(' ') : '';
  };
  const controls = [...root.querySelectorAll('a[href], button, select, input, textarea, summary, [role=button], [role=option]')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled);
  // A mark that stays on what was hidden meanwhile would be a second one.
  const usable = new Set(controls);
  for (const marked of document.querySelectorAll('[data-control]')) if (!usable.has(marked)) marked.removeAttribute('data-control');
  const known = new Map();
  return controls.map((each) => {
    const [kind, name] = [kindOf(each), nameOf(each)];
    const same = kind + ' "' + name + '"';
    const nth = known.get(same) ?? 0;
    known.set(same, nth + 1);
    const key = nth === 0 ? same : same + ' ' + nth;
    if (each.getAttribute('data-control') !== key) each.setAttribute('data-control', key);
    const isFrame = each.matches(':is(header, .filters) *') && !each.closest('.panel, .finder');
    return { key, kind, name, family: familyOf(each, kind, name) || key, isFrame };
  });
})()`;

/** Returns the controls that can be used. */
export async function findControls(page: Page): Promise<readonly Control[]> {
  return page.evaluate<Control[]>(LIST);
}

/** Uses a control as a person does. */
export async function useControl(page: Page, { key, kind }: Control): Promise<void> {
  // Marks the controls anew: a part of the screen may have been drawn again.
  await findControls(page);
  const place = page.locator(`[data-control=${JSON.stringify(key)}]`);
  if ((await place.count()) === 0) throw new Error('is no longer there');
  if (kind === 'date') {
    await place.fill('2026-02-16');
    return place.press('Enter');
  }
  if (kind === 'text') {
    await place.fill('o');
    return place.press('Enter');
  }
  if (kind === 'choice') {
    const other = await place.evaluate((each) => {
      const { options, value } = each as unknown as { options: Iterable<{ value: string }>; value: string };
      return [...options].map((option) => option.value).find((option) => option !== value);
    });
    if (other !== undefined) await place.selectOption(other);
    return;
  }
  await place.click({ timeout: 10_000 });
}

/**
 * Lists what a screen shows, a line each: texts, the links and states of its controls. Menus and folds that are open, and words
 * about what was just done, are no part of the address.
 */
const SHOWN = `(() => {
  const lines = ['title: ' + document.title];
  const left = new Set(document.querySelectorAll('.panel, .finder, script, style, .tools [role=status], .copy > label, .skip, .tip, details > :not(summary)'));
  const visit = (node) => {
    if (node.nodeType === 3) {
      const text = node.data.replace(/\\s+/g, ' ').trim();
      // The moment of printing isn't the same in two tabs.
      if (text && !(node.parentElement.closest('.sheet-head') && text.endsWith('UTC'))) lines.push(text);
      return;
    }
    if (node.nodeType !== 1 || left.has(node)) return;
    // A button that unfolds says so in its words.
    if (node.matches('button[aria-expanded]:not(.menu > button)')) return;
    const states = ['href', 'aria-current', 'aria-sort', 'data-tip'].flatMap((name) => node.hasAttribute(name) ? [name + '=' + node.getAttribute(name)] : []);
    if (node.matches('select, input:not([type=file])')) states.push('value=' + (node.type === 'checkbox' ? node.checked : node.value));
    if (states.length > 0) lines.push('<' + node.localName + '> ' + states.join(' '));
    if (!node.matches('select')) node.childNodes.forEach(visit);
  };
  visit(document.body);
  return lines;
})()`;

/** Returns what a screen shows. */
export async function readScreen(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(SHOWN);
}
