/**
 * The terms that annotate the model, as the vocabularies of OASIS name them. The service declares them itself, because
 * clients read a vocabulary from the address in the model, and not every machine reaches the Internet.
 */

/** Restrictions of all entity sets, each with the property that is false. */
export const RESTRICTIONS = {
  ExpandRestrictions: 'Expandable',
  SearchRestrictions: 'Searchable',
  InsertRestrictions: 'Insertable',
  UpdateRestrictions: 'Updatable',
  DeleteRestrictions: 'Deletable',
};

/** A vocabulary: its namespace, and the type of each term, or the types of a record's properties. */
interface Vocabulary {
  readonly namespace: string;
  readonly terms: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const FLAG = 'Edm.Boolean';
const TEXTS = 'Collection(Edm.String)';

const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  Core: { namespace: 'Org.OData.Core.V1', terms: { Description: 'Edm.String', OptionalParameter: {} } },
  Capabilities: {
    namespace: 'Org.OData.Capabilities.V1',
    terms: {
      ...Object.fromEntries(Object.entries(RESTRICTIONS).map(([term, property]) => [term, { [property]: FLAG }])),
      BatchSupported: FLAG,
      FilterFunctions: TEXTS,
    },
  },
};

/** The folder of the vocabularies below the root of the service. */
export const VOCABULARY_FOLDER = 'vocabularies';

/** Returns the model's references to its vocabularies. @param root The root URL of the service. */
export function formatReferences(root: string): string[] {
  return Object.entries(VOCABULARIES).map(
    ([alias, { namespace }]) =>
      `<edmx:Reference Uri="${root}${VOCABULARY_FOLDER}/${namespace}.xml"><edmx:Include Namespace="${namespace}" Alias="${alias}"/></edmx:Reference>`,
  );
}

/** Returns a vocabulary by the name of its file, as CSDL 4.0 in XML; undefined if there is none. */
export function formatVocabulary(file: string): string | undefined {
  const vocabulary = Object.values(VOCABULARIES).find(({ namespace }) => file === `${namespace}.xml`);
  if (!vocabulary) return undefined;
  const { namespace, terms } = vocabulary;
  const declared = Object.entries(terms).map(([name, type]) => {
    if (typeof type === 'string') return `<Term Name="${name}" Type="${type}"/>`;
    const properties = Object.entries(type)
      .map(([property, each]) => `<Property Name="${property}" Type="${each}"/>`)
      .join('');
    return `<Term Name="${name}" Type="${namespace}.${name}Type"/><ComplexType Name="${name}Type">${properties}</ComplexType>`;
  });
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">',
    `<edmx:DataServices><Schema Namespace="${namespace}" xmlns="http://docs.oasis-open.org/odata/ns/edm">`,
    ...declared,
    '</Schema></edmx:DataServices></edmx:Edmx>',
    '',
  ].join('\n');
}
