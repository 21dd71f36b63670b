import { address } from '../data/address.ts';
import { type Answer, isNonZero, type Row, rowsOf } from '../data/answer.ts';
import { AGES, BILL_WORDS } from '../data/bills.ts';
import { type Catalogue, type Column, columnsOf, pathOf, unitOf } from '../data/catalogue.ts';
import { formatDecimal, toFloat } from '../data/numbers.ts';
import { hasBills } from '../data/read-bills.ts';
import { useAnswers } from '../data/reading.ts';
import {
  causesNamed,
  causesOf,
  countFindings,
  FindingsBadge,
  linkToFindings,
  pathOfCauses,
  sumsOf,
} from '../parts/causes.tsx';
import { Figure } from '../parts/figure.tsx';
import { Figures } from '../parts/figures.tsx';
import { placeLink, projectCells } from '../parts/place-cells.tsx';
import { Provenance } from '../parts/provenance.tsx';
import { Empty, Failed, FiguresShape, Pending, Ready, TableShape } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { countOf, ReportTable } from '../parts/table.tsx';

/** The contracts that are listed, by the value of `show` in the address. */
const SHOWN: Readonly<Record<string, string>> = { open: 'Open', all: 'All' };

const SUMS = ['position', 'unbilled_fees', ...AGES];

/** Fees that are earned and not billed: by client, and by contract, the largest first. */
export function ToBill({ catalogue }: { catalogue: Catalogue }) {
  const show = address.value.get('show') ?? 'open';
  if (!Object.hasOwn(SHOWN, show))
    return <Failed failure={{ status: 404, message: `What is to bill is not shown by "${show}".` }} />;
  return (
    <>
      <h1>To bill</h1>
      {hasBills.value === false ? (
        <Empty>These data have no invoices and no write-offs, so nothing tells what is still to bill.</Empty>
      ) : (
        <KnownBills catalogue={catalogue} show={show} />
      )}
    </>
  );
}

function KnownBills({ catalogue, show }: { catalogue: Catalogue; show: string }) {
  const paths = [
    pathOf(catalogue, 'contracts', { sort: '-position' }),
    pathOf(catalogue, 'clients', { fields: ['client_id', 'name', ...SUMS].join(','), sort: '-position' }),
    pathOfCauses(catalogue),
  ];
  const reading = useAnswers<Answer>(paths, true, 1);
  return (
    <Ready reading={reading} shape={<ToBillShape />}>
      {([contracts, clients, findings]) =>
        contracts && (
          <>
            <Sums catalogue={catalogue} answer={contracts} />
            <Provenance meta={contracts.meta} />
            <Overdue catalogue={catalogue} answer={findings} />
            <FindingsBadge catalogue={catalogue} answer={findings} />
            <Switch name="show" of={SHOWN} current={show} label="Contracts" />
            {clients ? (
              <Bills
                {...{ catalogue, show, path: paths[1] }}
                {...{ answer: clients, title: 'By client', thing: 'client', names: ['name', ...SUMS] }}
                cells={{ name: (row) => placeLink(row, 'name', 'client', 'client_id') }}
              />
            ) : (
              <Pending rows={8} />
            )}
            <Bills
              {...{ catalogue, show, path: paths[0] }}
              {...{ answer: contracts, title: 'By contract', thing: 'contract' }}
              names={['name', 'client', ...SUMS, 'actual_revenue', 'invoiced', 'written_off']}
              cells={projectCells}
            />
          </>
        )
      }
    </Ready>
  );
}

/** Returns columns with the words of readers. */
function billColumns(catalogue: Catalogue, report: string, names: readonly string[]): readonly Column[] {
  return columnsOf(catalogue, report, names).map((column) => ({
    ...column,
    label: BILL_WORDS[column.name] ?? column.label,
  }));
}

/** The position of all contracts, the age of the work in it, and what is billed ahead. */
function Sums({ catalogue, answer: { totals, meta } }: { catalogue: Catalogue; answer: Answer }) {
  const [position, ...others] = billColumns(catalogue, 'contracts', [...SUMS, 'contract_liability']);
  if (!totals || !position) return null;
  return (
    <>
      <p class="headline">
        <Figure row={totals} column={position} isPlain isLarge />{' '}
        <span class="unit">{unitOf(position, meta.currency)}</span>{' '}
        <span class="words">to bill, less what is billed ahead</span>
      </p>
      <Figures row={totals} columns={others} currency={meta.currency} />
      <AgeBar row={totals} />
    </>
  );
}

/** The shares of the ages in unbilled work: the older, the darker. The figures above it have the numbers. */
function AgeBar({ row }: { row: Row }) {
  const amounts = AGES.map((name) => Math.max(0, toFloat(row[name])));
  if (!amounts.some((amount) => amount > 0)) return null;
  return (
    <div class="ages" aria-hidden="true">
      {amounts.map((amount, index) => (
        <span class={`u${index + 1}`} style={{ flexGrow: amount }} />
      ))}
    </div>
  );
}

/** The invoices that are due and not paid. */
function Overdue({ catalogue, answer }: { catalogue: Catalogue; answer: Answer | undefined }) {
  const causes = causesNamed(causesOf(answer), 'invoice_overdue');
  if (!answer || causes.length === 0) return null;
  const columns = columnsOf(catalogue, 'data-quality', ['amount_at_risk']);
  const [sum] = sumsOf(causes, columns, answer.meta.currency);
  const count = countFindings(causes);
  return (
    <p class="badge">
      <a class="opens" href={linkToFindings('invoice_overdue')}>
        {formatDecimal(count)} {count === '1' ? 'invoice is' : 'invoices are'} overdue
        {sum && `, ${formatDecimal(sum.value)} ${sum.unit}`}
      </a>
    </p>
  );
}

interface BillsProps {
  readonly catalogue: Catalogue;
  readonly show: string;
  readonly answer: Answer;
  readonly path: string | undefined;
  readonly title: string;
  readonly thing: string;
  readonly names: readonly string[];
  readonly cells: Readonly<Record<string, (row: Row) => preact.ComponentChildren>>;
}

/** Rows with what is to bill of each, those where nothing is open left out unless all are asked for. */
function Bills({ catalogue, show, answer, path, title, thing, names, cells }: BillsProps) {
  const all = rowsOf(answer);
  const open = all.filter((row) => ['position', 'unbilled_fees'].some((name) => isNonZero(row, name)));
  const settled = all.length - open.length;
  const rows = show === 'all' ? all : open;
  return (
    <section>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <Empty>Nothing is to bill, and nothing is billed ahead.</Empty>
      ) : (
        <ReportTable
          name={`bills-${thing}`}
          caption={`${countOf(rows, thing)}${show === 'all' || settled === 0 ? '' : `, and ${settled} where nothing is open`}`}
          columns={billColumns(catalogue, answer.meta.report, names)}
          rows={rows}
          totals={answer.totals}
          currency={answer.meta.currency}
          cells={cells}
          path={path}
        />
      )}
    </section>
  );
}

/** The shape of the screen: a headline, figures, and two tables. */
function ToBillShape() {
  return (
    <div class="shapes">
      <div class="shape" style={{ height: '36px', width: 'min(480px, 90%)' }} />
      <FiguresShape count={6} />
      <TableShape rows={8} />
      <TableShape rows={12} />
    </div>
  );
}
