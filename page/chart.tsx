import { useEffect, useRef, useState } from 'preact/hooks';

/** A chart, drawn again when the width or the data changes. @param label What it shows, in words. */
export function Chart({ label, draw, of }: { label: string; draw: (width: number) => Element; of: unknown }) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (width === 0) return;
    const chart = draw(width);
    // The rules of Plot's own style element are in style.css, because the policy of the page allows no inline style.
    for (const style of chart.querySelectorAll('style')) style.remove();
    chart.setAttribute('aria-hidden', 'true');
    place.current?.replaceChildren(chart);
  }, [width, of]);
  return <div class="chart" ref={place} role="img" aria-label={label} />;
}

/** An entry of a chart's legend. */
export function Key({ of, label = of }: { of: string; label?: string }) {
  return (
    <span class="pair">
      <span class={`key ${of}`} /> {label}
    </span>
  );
}
