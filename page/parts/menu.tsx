import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface MenuProps {
  readonly label: ComponentChildren;
  /** Makes the content, which may close the menu. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** Least distance of a panel from the edge of the screen. Unit: px. */
const EDGE_PX = 8;

/** A button with a panel below it, which Escape or a click beside it closes. */
export function Menu({ label, children }: MenuProps) {
  const [isOpen, open] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // At once when the panel is seen: a press before the next frame would be lost.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const onPointer = ({ target }: Event) => {
      if (target instanceof Node && !place.current?.contains(target)) open(false);
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      open(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('keydown', onKey);
    };
  }, [isOpen]);
  return (
    <div class="menu" ref={place}>
      <button type="button" ref={button} aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {label}
      </button>
      {isOpen && <Panel>{children(() => open(false))}</Panel>}
    </div>
  );
}

/** A panel that begins at its button, or as far to the left of it as it needs to fit on the screen, however wide it grows. */
function Panel({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const panel = place.current;
    if (!panel) return;
    const move = () => {
      panel.style.left = '0';
      const beyond = panel.getBoundingClientRect().right + EDGE_PX - document.documentElement.clientWidth;
      panel.style.left = `${Math.min(0, -beyond)}px`;
    };
    const observer = new ResizeObserver(move);
    observer.observe(panel);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="panel" ref={place}>
      {children}
    </div>
  );
}
