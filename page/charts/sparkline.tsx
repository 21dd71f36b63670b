/** Size of a sparkline. Unit: px. */
const [WIDTH, HEIGHT] = [72, 20];

/** A line of numbers without an axis; floats are geometry alone. @param label What it shows, in words. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  if (values.length < 2 || low === high) return null;
  const points = values.map((value, index) => {
    const x = 1 + (index / (values.length - 1)) * (WIDTH - 2);
    const y = HEIGHT - 1 - ((value - low) / (high - low)) * (HEIGHT - 2);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg class="sparkline" width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      <polyline points={points.join(' ')} />
    </svg>
  );
}
