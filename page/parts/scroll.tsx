import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * The frame of a table. The page alone scrolls down, and the head and the totals stay in sight; a table that is wider than its
 * frame scrolls sideways in it.
 */
export function Scroll({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (place.current ? holdInSight(place.current) : undefined), []);
  return (
    <div class="scroll" ref={place}>
      {children}
    </div>
  );
}

/** Keeps the head and the totals of a table in sight. @returns A function that ends it. */
function holdInSight(frame: HTMLElement): () => void {
  const table = frame.querySelector('table');
  if (!table) return () => undefined;
  const fit = () => {
    // A frame that scrolls sideways is a frame of its own for what is sticky, so its head and totals are moved here.
    const isWide = table.scrollWidth > frame.clientWidth;
    frame.classList.toggle('fits', !isWide);
    const { top } = frame.getBoundingClientRect();
    const { tHead: head, tFoot: foot } = table;
    // A caption stands above the head.
    const { offsetTop: above = 0, offsetHeight: height = 0 } = head ?? {};
    const room = Math.max(0, frame.clientHeight - above - height - (foot?.offsetHeight ?? 0));
    move(head, isWide ? Math.min(room, Math.max(0, -top - above)) : 0);
    // Below the screen the totals stay at the end, since under the head they would cover the first row.
    const beyond = top + frame.clientHeight - innerHeight;
    move(foot, isWide && beyond > 0 && beyond <= room ? -beyond : 0);
  };
  const observer = new ResizeObserver(fit);
  for (const each of [frame, table]) observer.observe(each);
  // The page scrolls, or a dialog.
  addEventListener('scroll', fit, { capture: true, passive: true });
  // A higher window changes neither the frame nor the table.
  addEventListener('resize', fit);
  return () => {
    observer.disconnect();
    removeEventListener('scroll', fit, { capture: true });
    removeEventListener('resize', fit);
  };
}

function move(part: HTMLTableSectionElement | null, down: number): void {
  part?.style.setProperty('--down', `${down}px`);
}
