import { useEffect, useState } from 'preact/hooks';
import type { DeliveryStatus, OccurrenceStatus, TargetStatus } from '../../src/doors/deliver/delivery-status.ts';
import { type Failure, readJson, sendJson } from '../data/api.ts';
import type { Catalogue } from '../data/catalogue.ts';
import { formatDate, formatDays, formatMoment, formatMonth } from '../data/numbers.ts';
import { useRound } from '../data/reading.ts';
import { Failed, TableShape } from '../parts/states.tsx';

/** The time between two looks at a delivery on its way. Unit: ms. */
const LOOK_MS = 3_000;

/** The targets of an occurrence that are listed: those on their way, and those that something is wrong with. Unit: targets. */
const MAX_TARGETS = 20;

/** The words for states, and what there is to do about them. */
const STATES: Readonly<Record<OccurrenceStatus['state'], { readonly label: string; readonly advice?: string }>> = {
  waiting: { label: 'Waiting', advice: 'It is tried again by itself, with newer data as soon as they are there.' },
  sending: { label: 'On its way' },
  sent: { label: 'Sent' },
  nothing: { label: 'Nothing to send' },
  withheld: {
    label: 'Not sent',
    advice: 'Nothing was sent that may be wrong. Put right what is named, load the data, and send it now.',
  },
  failed: {
    label: 'Failed',
    advice: 'Put right what is named, and send it now: whoever has this one already gets another one, too.',
  },
};

/** The words for the moments that are no time. */
const EVENTS: Readonly<Record<string, string>> = {
  new_data: 'with each data version',
  closed: 'when a period is closed',
};

/** The screen of the reports and alerts that the server sends by itself. */
export function Deliveries({ catalogue }: { catalogue: Catalogue }) {
  const round = useRound();
  const [list, setList] = useState<readonly DeliveryStatus[] | Failure>();
  const readList = () =>
    readJson<{ deliveries: DeliveryStatus[] }>('/v3/deliveries').then(({ deliveries }) => setList(deliveries), setList);
  useEffect(() => void readList(), [round]);
  const isMoving =
    Array.isArray(list) && list.some(({ last }) => last?.state === 'sending' || last?.state === 'waiting');
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => void readList(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  if (list === undefined) return <TableShape rows={8} />;
  if ('status' in list) return <Failed failure={list} />;
  return (
    <div class="deliveries">
      <h1>Deliveries</h1>
      <p class="hint">Reports and alerts that this server sends by itself.</p>
      {list.length === 0 ? (
        <p>
          It sends none yet. A file says which reports go where and when, and a server started with{' '}
          <code>plumbline serve --deliveries deliveries.yaml</code> sends them.
        </p>
      ) : (
        <ul class="loads">
          {list.map((delivery) => (
            <Listed
              delivery={delivery}
              maySend={catalogue.abilities.includes('deliver')}
              onBegun={() => void readList()}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface ListedProps {
  readonly delivery: DeliveryStatus;
  readonly maySend: boolean;
  readonly onBegun: () => void;
}

function Listed({ delivery, maySend, onBegun }: ListedProps) {
  const { name, kind, when, next, last } = delivery;
  const [isAsked, ask] = useState(false);
  const [failure, fail] = useState<Failure>();
  const run = async () => {
    ask(false);
    await sendJson(`/v3/deliveries/${name}/run`, {}).then(onBegun, fail);
  };
  return (
    <li>
      <div class="heading">
        <strong>{name}</strong>
        <span class="hint">
          {[kind, EVENTS[when] ?? [], next === null ? [] : `next ${formatMoment(next)}`].flat().join(', ')}
        </span>
        {maySend && !isAsked && (
          <button
            type="button"
            onClick={() => {
              fail(undefined);
              ask(true);
            }}
          >
            Send now…
          </button>
        )}
      </div>
      {last === null ? <p class="hint">It hasn’t been sent yet.</p> : <Last last={last} />}
      {failure && (
        <p class="warning" role="alert">
          {failure.message}
        </p>
      )}
      {isAsked && (
        <fieldset class="question" aria-label={`Send ${name} now`}>
          <p>All its recipients get it, beside what comes at its moments.</p>
          <button type="button" onClick={() => void run()}>
            Send it
          </button>{' '}
          <button type="button" class="quiet" onClick={() => ask(false)}>
            Leave it
          </button>
        </fieldset>
      )}
    </li>
  );
}

/** The last occurrence: what has become of it, why, and what there is to do. */
function Last({ last }: { last: OccurrenceStatus }) {
  const { label, advice } = STATES[last.state];
  const isWrong = last.state === 'failed' || last.state === 'withheld';
  const troubled = last.targets.filter(
    ({ state, waits_for: first }) => first !== null || ['sending', 'failed', 'retrying'].includes(state),
  );
  const facts = [
    formatMoment(last.moment),
    last.is_late && 'late',
    last.period !== null && `about ${sayPeriod(last.period)}`,
    last.rows !== null && `${last.rows} ${last.rows === 1 ? 'row' : 'rows'}`,
    last.data_version !== null && `data version ${last.data_version}`,
  ].filter((fact) => fact !== false);
  return (
    <>
      <p>
        <b class={isWrong ? 'warning' : undefined}>{label}</b> <span class="hint">{facts.join(', ')}</span>
      </p>
      {last.targets.length > 0 && <p class="hint">{countTargets(last.targets)}</p>}
      {last.why !== null && <p>{last.why}</p>}
      {troubled.length > 0 && (
        <ul>
          {troubled.slice(0, MAX_TARGETS).map((target) => (
            <li>
              <b>{target.target}</b> {sayTarget(target)}
              {target.why ? `: ${target.why}` : ''}
            </li>
          ))}
          {troubled.length > MAX_TARGETS && <li>and {troubled.length - MAX_TARGETS} more</li>}
        </ul>
      )}
      {troubled.some(({ state }) => state === 'retrying') && (
        <p>What isn’t there yet is tried again by itself, for 24 hours.</p>
      )}
      {advice !== undefined && <p>{advice}</p>}
    </>
  );
}

/** Returns a period in words: that of 2026-05, 2026-05-04 or 2026-05-04..2026-05-10. */
function sayPeriod(period: string): string {
  const [start = '', end] = period.split('..');
  if (end !== undefined) return formatDays({ start_date: start, end_date: end });
  return start.length === '2026-05'.length ? formatMonth(start) : formatDate(start);
}

/** Says what becomes of a target: since when it is being sent, what it waits for, or how often it was tried. */
function sayTarget({ state, attempts, sending_since: since, waits_for: first }: TargetStatus): string {
  if (first !== null) return `waits for ${first}, which comes first`;
  if (since !== null) return `is being sent since ${formatMoment(since)}`;
  return `${state}, ${attempts} ${attempts === 1 ? 'try' : 'tries'}`;
}

/** Says how many targets have which state: 3 sent, 1 failed. */
function countTargets(targets: readonly TargetStatus[]): string {
  const counts = new Map<string, number>();
  for (const { state } of targets) counts.set(state, (counts.get(state) ?? 0) + 1);
  const parts = [...counts].map(([state, count]) => `${count} ${state}`);
  return `${targets.length} ${targets.length === 1 ? 'target' : 'targets'}: ${parts.join(', ')}`;
}
