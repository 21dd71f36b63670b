/*
 * Paper: tables that are wider than a sheet go on in further tables below, each with the first column again, so that no
 * column is lost; what needs a look is unfolded. The drawer leaves the layer above the page, where the head of a sheet can't stand above it. Made when
 * the browser prints, and taken away afterwards.
 */

/** Width of a landscape sheet of A4 within its margins, in the page's own pixels at the size of print. Unit: px. */
const SHEET_PX = 1330;

/** Time between two looks whether all of a screen is read. Unit: ms. */
const LOOK_MS = 50;

/** Prints the screen once all of it is read, the names in its head, too. */
export function printWhole(): void {
  if (document.querySelector('.loading')) setTimeout(printWhole, LOOK_MS);
  else print();
}

/** Lays a screen out for sheets while the browser prints. */
export function layOutSheets(): void {
  addEventListener('beforeprint', () => {
    const dialog = document.querySelector<HTMLDialogElement>('dialog:has(.drawer)');
    if (dialog) {
      const focused = document.activeElement;
      dialog.close();
      dialog.show();
      addEventListener('afterprint', () => raise(dialog, focused), { once: true });
    }
    for (const fold of document.querySelectorAll<HTMLDetailsElement>('.worst details:not([open])')) {
      fold.open = true;
      addEventListener('afterprint', () => fold.removeAttribute('open'), { once: true });
    }
    for (const table of document.querySelectorAll<HTMLTableElement>('.scroll > table')) splitTable(table);
  });
  addEventListener('afterprint', () => {
    for (const part of document.querySelectorAll('.paper-part')) part.remove();
    for (const table of document.querySelectorAll('.on-screen-only')) table.classList.remove('on-screen-only');
  });
}

/** Opens a dialog above the page again. */
function raise(dialog: HTMLDialogElement, focused: Element | null): void {
  dialog.close();
  dialog.showModal();
  if (focused instanceof HTMLElement) focused.focus();
}

function splitTable(table: HTMLTableElement): void {
  const widths = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.offsetWidth);
  const spans = spansOf(widths);
  if (spans.length < 2) return;
  for (const [first, last] of spans) {
    const part = table.cloneNode(true) as HTMLTableElement;
    part.classList.add('paper-part');
    for (const row of part.rows) {
      for (let index = row.cells.length - 1; index > 0; index -= 1) {
        if (index < first || index > last) row.deleteCell(index);
      }
    }
    table.parentElement?.append(part);
  }
  table.classList.add('on-screen-only');
}

/** Returns the first and last column of each part; all parts have the first column of the table. */
function spansOf(widths: readonly number[]): readonly (readonly [first: number, last: number])[] {
  const [head = 0, ...others] = widths;
  const spans: [number, number][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const [index, width] of others.entries()) {
    const column = index + 1;
    const current = spans.at(-1);
    if (current && used + width <= SHEET_PX) {
      current[1] = column;
      used += width;
    } else {
      spans.push([column, column]);
      used = head + width;
    }
  }
  return spans;
}
