import { dot } from '@observablehq/plot';
import { useEffect, useRef, useState } from 'preact/hooks';
import { linkToClosed } from '../data/address.ts';
import { tickFormat } from '../data/numbers.ts';
import { writeMarks } from '../data/turning.ts';
import { type Before, wordsOfBefore } from '../parts/change.tsx';

/** A place of a chart that opens lines. The first line of the label is its title, the others are its numbers. */
export interface Spot {
  readonly label: string;
  readonly href: string | undefined;
}

/**
 * A chart, drawn again when the width, the data or the address changes. Its links tell their label when pointed at or focused;
 * the arrow keys lead from one to the next, and Enter follows it.
 * @param label What it shows, in words.
 */
export function Chart({ label, draw, of }: { label: string; draw: (width: number) => Element; of: unknown }) {
  const frame = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [tip, setTip] = useState<Tip>();
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (width === 0) return;
    const chart = draw(width);
    // The rules of Plot's own style element are in style.css, because the policy of the page allows no inline style.
    for (const style of chart.querySelectorAll('style')) style.remove();
    for (const text of chart.querySelectorAll('text:not(:has(*)), tspan'))
      text.textContent = writeMarks(text.textContent);
    nameLinks(chart);
    place.current?.replaceChildren(chart);
    setTip(undefined);
    // The links lead from the address as it is.
  }, [width, of, linkToClosed()]);
  const show = ({ target }: Event) => setTip(frame.current ? tipOf(target, frame.current) : undefined);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      class="chart"
      role="group"
      aria-label={label}
      ref={frame}
      onPointerOver={show}
      onPointerLeave={() => setTip(undefined)}
      onFocusIn={show}
      onFocusOut={() => setTip(undefined)}
      onKeyDown={moveFocus}
    >
      <div ref={place} />
      {tip && (
        <div class={tip.isRight ? 'tip right' : 'tip'} aria-hidden="true" style={{ left: `${tip.left}px` }}>
          {tip.label}
        </div>
      )}
    </div>
  );
}

interface Tip {
  readonly label: string;
  /** The middle of what it tells about, from the left of the chart. Unit: px. */
  readonly left: number;
  /** True for the right half of the chart, where the tip stands to the left of its place. */
  readonly isRight: boolean;
}

function tipOf(target: EventTarget | null, frame: Element): Tip | undefined {
  const link = target instanceof Element ? target.closest('[data-tip]') : null;
  if (!link) return undefined;
  const [own, outer] = [link.getBoundingClientRect(), frame.getBoundingClientRect()];
  const left = own.left + own.width / 2 - outer.left;
  return { label: link.getAttribute('data-tip') ?? '', left, isRight: left > outer.width / 2 };
}

/** Names the links of a chart by the labels of their shapes, and leaves one of them in the order of the Tab key. */
function nameLinks(chart: Element): void {
  for (const [index, shape] of [...chart.querySelectorAll('[aria-label].spot, .spot [aria-label]')].entries()) {
    const label = shape.getAttribute('aria-label') ?? '';
    const link = shape.closest('a') ?? shape;
    link.setAttribute('data-tip', label);
    link.setAttribute('aria-label', label.replaceAll('\n', ', '));
    link.setAttribute('tabindex', index === 0 ? '0' : '-1');
    if (link !== shape) shape.removeAttribute('aria-label');
  }
  // Plot names its groups, which have no role that takes a name.
  for (const group of chart.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label');
}

function moveFocus(event: KeyboardEvent): void {
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
  const step = steps[event.key];
  const { currentTarget, target } = event;
  if (step === undefined || !(currentTarget instanceof Element)) return;
  const links = [...currentTarget.querySelectorAll<SVGAElement>('a[data-tip]')];
  const next = links[links.indexOf(target as SVGAElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/**
 * Returns the options of a mark that makes spots: shapes that can't be seen, and open lines.
 * @param spotOf Returns the spot of a datum.
 */
export function spots<Datum>(spotOf: (datum: Datum) => Spot) {
  return {
    className: 'spot',
    fill: 'var(--text)',
    fillOpacity: 0,
    href: (datum: Datum) => spotOf(datum).href,
    ariaLabel: (datum: Datum) => spotOf(datum).label,
  };
}

/** Returns the scale of an axis of numbers, which always has 0, and a height if all numbers are 0. */
export function numberScale(values: readonly number[], ticks: number) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const isFlat = low === high;
  return {
    label: null,
    grid: true,
    tickFormat: tickFormat(low, high, ticks),
    domain: isFlat ? [0, 1] : [low, high],
    ticks: isFlat ? [0] : ticks,
    nice: !isFlat,
  };
}

/** Returns the marks of the numbers before: a ring at each. @param at The channel of the place of a datum, and the one of its number. */
export function ringsBefore<Datum extends { readonly before: Before | undefined }>(
  data: readonly Datum[],
  at: { readonly place: 'x' | 'y'; readonly name: string },
) {
  const compared = data.filter(({ before }) => before);
  const value = ({ before }: Datum) => before?.value;
  const channels = at.place === 'x' ? { x: at.name, y: value } : { y: at.name, x: value };
  return compared.length === 0
    ? []
    : [dot(compared, { ...channels, r: 4, fill: 'var(--ground)', stroke: 'var(--text)', strokeWidth: 1.5 })];
}

/** The entry of the numbers before in a legend, where there are any. */
export function BeforeKey({ of }: { of: readonly { readonly before: Before | undefined }[] }) {
  return of.some(({ before }) => before) ? <Key of="before" label={wordsOfBefore().toLowerCase()} /> : null;
}

/** An entry of a chart's legend. */
export function Key({ of, label = of }: { of: string; label?: string }) {
  return (
    <span class="pair">
      <span class={`key ${of}`} /> {label}
    </span>
  );
}
