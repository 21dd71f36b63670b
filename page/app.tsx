import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { address, EXPLORED, linkToScreen, PAGE_PARAMETERS, PLACES } from './data/address.ts';
import { type Failure, readJson, refusal } from './data/api.ts';
import { type Ability, type Catalogue, filtersOf, reportOf } from './data/catalogue.ts';
import { printWhole } from './data/paper.ts';
import { hasBills, readHasBills } from './data/read-bills.ts';
import { isOutdated, readAgain, useRound } from './data/reading.ts';
import { SignedIn } from './data/session.tsx';
import { Drawer } from './drawer/drawer.tsx';
import { Entrance } from './head/entrance.tsx';
import { useFilters } from './head/filter-values.tsx';
import { Filters } from './head/filters.tsx';
import { AsOfNote, BaselineNote, StateMenu, useKeptStates } from './head/kept-states.tsx';
import { Search } from './head/search.tsx';
import { SheetHead } from './head/sheet-head.tsx';
import { DataIn } from './loads/data-in.tsx';
import { Failed, TableShape } from './parts/states.tsx';
import { ChangesScreen } from './screens/changes.tsx';
import { Deliveries } from './screens/deliveries.tsx';
import { Explore } from './screens/explore.tsx';
import { Outlook } from './screens/outlook.tsx';
import { People } from './screens/people.tsx';
import { Person } from './screens/person.tsx';
import { Client } from './screens/place.tsx';
import { Portfolio } from './screens/portfolio.tsx';
import { Project } from './screens/project.tsx';
import { Quality } from './screens/quality.tsx';
import { Timesheets } from './screens/timesheets.tsx';
import { ToBill } from './screens/to-bill.tsx';

/** A screen: its name in the address, its label, and the report whose filters it takes, if any. */
interface Screen {
  readonly label: string;
  readonly report?: string;
  /** The ability without which the menu of screens leaves it out. */
  readonly needs?: Ability;
  /** True for a screen that the menu has only where the company has bills. */
  readonly needsBills?: boolean;
  /** True for a screen that only links lead to. */
  readonly isInner?: boolean;
  readonly show: (catalogue: Catalogue) => preact.JSX.Element;
}

const SCREENS: Readonly<Record<string, Screen>> = {
  portfolio: { label: 'Portfolio', report: 'projects', show: (catalogue) => <Portfolio catalogue={catalogue} /> },
  project: {
    label: 'Project',
    report: 'projects',
    isInner: true,
    show: (catalogue) => <Project catalogue={catalogue} />,
  },
  client: { label: 'Client', report: 'projects', isInner: true, show: (catalogue) => <Client catalogue={catalogue} /> },
  person: { label: 'Person', report: 'people', isInner: true, show: (catalogue) => <Person catalogue={catalogue} /> },
  outlook: { label: 'Outlook', report: 'projects', show: (catalogue) => <Outlook catalogue={catalogue} /> },
  people: { label: 'People', report: 'people', show: (catalogue) => <People catalogue={catalogue} /> },
  timesheets: {
    label: 'Timesheets',
    report: 'timesheets',
    show: (catalogue) => <Timesheets catalogue={catalogue} />,
  },
  'to-bill': {
    label: 'To bill',
    report: 'contracts',
    needsBills: true,
    show: (catalogue) => <ToBill catalogue={catalogue} />,
  },
  explore: { label: 'Explore', report: 'pivot', show: (catalogue) => <Explore catalogue={catalogue} /> },
  changes: { label: 'Changes', report: 'changes', show: (catalogue) => <ChangesScreen catalogue={catalogue} /> },
  quality: { label: 'Data quality', report: 'data-quality', show: (catalogue) => <Quality catalogue={catalogue} /> },
  data: { label: 'Data in', needs: 'load', show: () => <DataIn /> },
  deliveries: {
    label: 'Deliveries',
    needs: 'deliveries',
    show: (catalogue) => <Deliveries catalogue={catalogue} />,
  },
};

/** The screens that list the things of inner screens. */
const LISTS: Readonly<Record<string, string>> = { project: 'portfolio', client: 'portfolio', person: 'people' };

/** The page, or the entrance, which takes its place: for another reader all that the page shows is asked for again. */
export function App() {
  return refusal.value === undefined ? <Page /> : <Entrance />;
}

/** The parts that all screens have, and the screen of the address. */
function Page() {
  const catalogue = useCatalogue();
  const known = catalogue && 'abilities' in catalogue ? catalogue : undefined;
  useKeptStates();
  const name = address.value.get('screen') ?? 'portfolio';
  const screen = Object.hasOwn(SCREENS, name) ? SCREENS[name] : undefined;
  // Changes name their states themselves, and files come into, and deliveries leave, the present data.
  const hasStates = !['changes', 'data', 'deliveries'].includes(name);
  // At once: an inner screen takes the name of its thing when that has come, and none where there is nothing of it.
  useLayoutEffect(() => {
    document.title = screen && !screen.isInner ? `${screen.label} · Plumbline` : 'Plumbline';
  }, [screen]);
  return (
    <>
      <a class="skip unseen" href="#main">
        Skip to the numbers
      </a>
      <header>
        <a class="brand" href="/?">
          Plumbline
        </a>
        <nav aria-label="Screens">
          {Object.entries(SCREENS)
            .filter(([, shown]) => isInMenu(shown, known))
            .map(([each, { label }]) => (
              <a href={linkToScreen(each)} aria-current={each === (LISTS[name] ?? name) ? 'page' : undefined}>
                {label}
              </a>
            ))}
        </nav>
        {hasStates && <StateMenu />}
        <Search catalogue={known} />
        <button type="button" onClick={printWhole}>
          Print or PDF
        </button>
        <SignedIn />
      </header>
      {isOutdated.value && (
        <p class="news" role="status">
          New data is there.{' '}
          <button type="button" onClick={readAgain}>
            Show it
          </button>
        </p>
      )}
      {hasStates && <AsOfNote />}
      {hasStates && <BaselineNote />}
      <main id="main" tabIndex={-1}>
        {show(catalogue, screen, name)}
      </main>
      <footer>
        <a href="/licenses.txt">Licenses</a>
      </footer>
    </>
  );
}

/** Returns whether the menu has a screen: one that the reader can use, with data that the company has. */
function isInMenu({ isInner, needs, needsBills }: Screen, known: Catalogue | undefined): boolean {
  if (isInner) return false;
  return (!needs || (known?.abilities.includes(needs) ?? false)) && (!needsBills || (hasBills.value ?? false));
}

function show(catalogue: Catalogue | Failure | undefined, screen: Screen | undefined, name: string) {
  if (catalogue === undefined) return <TableShape rows={16} />;
  if ('status' in catalogue) return <Failed failure={catalogue} />;
  const unknown = [...address.value.keys()].find((each) => !isKnown(catalogue, each));
  if (!screen) return <Failed failure={{ status: 404, message: `There is no screen "${name}".` }} />;
  if (unknown) return <Failed failure={{ status: 404, message: `The page has no parameter "${unknown}".` }} />;
  if (screen.report === undefined) return screen.show(catalogue);
  return <Shown catalogue={catalogue} screen={screen} report={screen.report} name={name} />;
}

/** A screen under the filters of its report, whose names the printed head repeats, and the drawer over it. */
function Shown({
  catalogue,
  screen,
  report,
  name,
}: {
  catalogue: Catalogue;
  screen: Screen;
  report: string;
  name: string;
}) {
  const own = PLACES[name];
  const used = useFilters(catalogue);
  return (
    <>
      <Filters catalogue={catalogue} report={reportOf(catalogue, report)} place={name} used={used} />
      <SheetHead title={screen.label} used={used} own={own} />
      {screen.show(catalogue)}
      <Drawer catalogue={catalogue} />
    </>
  );
}

/** Parameters of reports that a screen reads from the address, beside the filters. */
const READ = ['as_of', 'baseline', 'period', 'start_date', 'end_date', 'cutoff_date', ...EXPLORED];

function isKnown({ reports }: Catalogue, parameter: string): boolean {
  if ([...PAGE_PARAMETERS, ...READ].includes(parameter)) return true;
  return reports.some((report) => filtersOf(report).some(({ name }) => name === parameter));
}

/** Reads the description of the reports; undefined meanwhile. */
function useCatalogue(): Catalogue | Failure | undefined {
  const round = useRound();
  const [catalogue, hold] = useState<Catalogue | Failure>();
  useEffect(() => {
    const controller = new AbortController();
    const fail = (failure: Failure) => {
      if (!controller.signal.aborted) hold(failure);
    };
    readJson<Catalogue>('/v3/reports', controller.signal).then(hold).catch(fail);
    void readHasBills(controller.signal);
    return () => controller.abort();
  }, [round]);
  return catalogue;
}
