import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface MenuProps {
  readonly label: ComponentChildren;
  /** Makes the content, which may close the menu. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button with a panel below it, which Escape or a click beside it closes. */
export function Menu({ label, children }: MenuProps) {
  const [isOpen, open] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
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
      {isOpen && <div class="panel">{children(() => open(false))}</div>}
    </div>
  );
}
