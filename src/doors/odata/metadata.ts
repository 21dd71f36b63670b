import { escapeXml } from '../../../packages/xlsx/index.ts';
import type { RowProperty } from '../../numbers/condition/index.ts';
import { FUNCTIONS_BY_NAME } from '../../numbers/condition/index.ts';
import type { ReportFunction } from './report-functions.ts';
import type { RowSource } from './row-source.ts';
import { NAMESPACE, rowTypeName } from './rows-json.ts';
import { formatReferences, RESTRICTIONS } from './vocabularies.ts';

/** The marts and reports that a reader may request. */
export interface ServiceContents {
  readonly sets: ReadonlyMap<string, RowSource>;
  readonly functions: ReadonlyMap<string, ReportFunction>;
}

const CONTAINER = 'Container';

/** Returns the model of the service, $metadata: CSDL 4.0 as XML. @param root The root URL of the service. */
export function formatMetadata({ sets, functions }: ServiceContents, root: string): string {
  const types = [
    ...[...sets.values()].map((set) => typeXml('EntityType', set, set.key)),
    ...[...functions.values()].map((each) => typeXml('ComplexType', each, [])),
  ];
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">',
    ...formatReferences(root),
    `<edmx:DataServices><Schema Namespace="${NAMESPACE}" xmlns="http://docs.oasis-open.org/odata/ns/edm">`,
    ...types,
    ...[...functions.values()].map(functionXml),
    containerXml(sets, functions),
    '</Schema></edmx:DataServices></edmx:Edmx>',
    '',
  ].join('\n');
}

function typeXml(
  element: 'EntityType' | 'ComplexType',
  { name, properties }: Pick<RowSource, 'name' | 'properties'>,
  key: readonly string[],
): string {
  const references = key.map((each) => `<PropertyRef Name="${each}"/>`).join('');
  return [
    `<${element} Name="${rowTypeName(name)}">`,
    ...(references === '' ? [] : [`<Key>${references}</Key>`]),
    ...properties.map((property) => propertyXml(property, key.includes(property.name))),
    `</${element}>`,
  ].join('\n');
}

function propertyXml({ name, type, precision, scale, description }: RowProperty, isKey: boolean): string {
  const digits = scale === undefined ? '' : ` Precision="${precision}" Scale="${scale}"`;
  return `<Property Name="${name}" Type="${type}"${digits}${isKey ? ' Nullable="false"' : ''}>${describe(description)}</Property>`;
}

function functionXml({ name, description, parameters }: ReportFunction): string {
  const given = parameters.map((parameter) => {
    const optional = '<Annotation Term="Core.OptionalParameter"><Record/></Annotation>';
    const [facet, note] = parameter.isRequired ? [' Nullable="false"', ''] : ['', optional];
    return `<Parameter Name="${parameter.name}" Type="${parameter.type}"${facet}>${note}${describe(parameter.description)}</Parameter>`;
  });
  const type = `Collection(${NAMESPACE}.${rowTypeName(name)})`;
  return [
    `<Function Name="${name}" IsComposable="true">`,
    ...given,
    `<ReturnType Type="${type}" Nullable="false"/>${describe(description)}`,
    '</Function>',
  ].join('\n');
}

function containerXml(sets: ServiceContents['sets'], functions: ServiceContents['functions']): string {
  const restrictions = Object.entries(RESTRICTIONS).map(([term, property]) => {
    const record = `<Record>${flagXml(property, false)}</Record>`;
    return `<Annotation Term="Capabilities.${term}">${record}</Annotation>`;
  });
  return [
    `<EntityContainer Name="${CONTAINER}">`,
    ...[...sets.values()].map(
      ({ name, description }) =>
        `<EntitySet Name="${name}" EntityType="${NAMESPACE}.${rowTypeName(name)}">${describe(description)}${restrictions.join('')}</EntitySet>`,
    ),
    ...[...functions.keys()].map((name) => `<FunctionImport Name="${name}" Function="${NAMESPACE}.${name}"/>`),
    '<Annotation Term="Capabilities.BatchSupported" Bool="false"/>',
    `<Annotation Term="Capabilities.FilterFunctions">${textsXml([...FUNCTIONS_BY_NAME.keys()])}</Annotation>`,
    '</EntityContainer>',
  ].join('\n');
}

function flagXml(property: string, isSet: boolean): string {
  return `<PropertyValue Property="${property}" Bool="${isSet}"/>`;
}

function textsXml(texts: readonly string[]): string {
  return `<Collection>${texts.map((text) => `<String>${text}</String>`).join('')}</Collection>`;
}

function describe(description: string): string {
  return `<Annotation Term="Core.Description" String="${escapeXml(description)}"/>`;
}

/**
 * Returns the service document, which lists the entity sets.
 * Functions with parameters are only in the metadata, as the standard demands.
 */
export function formatService({ sets }: ServiceContents, root: string, hasContext: boolean): string {
  const context = hasContext ? { '@odata.context': `${root}$metadata` } : {};
  const value = [...sets.keys()].map((name) => ({ name, kind: 'EntitySet', url: name }));
  return `${JSON.stringify({ ...context, value })}\n`;
}
