import type { ComponentChildren } from 'preact';
import { address, linkTo } from '../data/address.ts';
import { type Catalogue, measureOf } from '../data/catalogue.ts';
import { Failed } from './states.tsx';

/** The subjects that the reader may see. */
function subjectsOf(catalogue: Catalogue): string[] {
  const { subjects } = catalogue.overview;
  return Object.keys(subjects).filter((name) => measureOf(catalogue, name, 'variance') !== '');
}

interface BySubjectProps {
  readonly catalogue: Catalogue;
  /** The heading beside the links, or the way back where the heading comes with the answers. */
  readonly lead: ComponentChildren;
  readonly show: (by: string) => preact.JSX.Element;
}

/** Shows a screen in the subject of the address, the first one by default, with links to the others. */
export function BySubject({ catalogue, lead, show }: BySubjectProps) {
  const seen = subjectsOf(catalogue);
  const by = address.value.get('by') ?? seen[0] ?? '';
  if (!seen.includes(by)) {
    const message = `The page compares ${seen.join(', ')}, and not ${by} for this token. Costs need the scope "rates".`;
    return <Failed failure={{ status: 404, message }} />;
  }
  return (
    <>
      <div class="title">
        {lead}
        <nav class="switch" aria-label="Compare">
          {seen.map((name) => (
            <a href={linkTo({ by: name, sort: undefined })} aria-current={name === by ? 'true' : undefined}>
              {catalogue.overview.subjects[name]}
            </a>
          ))}
        </nav>
      </div>
      {show(by)}
    </>
  );
}
