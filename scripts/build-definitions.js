// Checks the definitions of reports, and writes their values to dist/definitions.json, from where the built program takes them.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { digestDefinition, readDefinition } from '../dist/src/numbers/report/catalogue/definition.js';
import { loadCatalogue } from '../dist/src/numbers/report/catalogue/load-catalogue.js';

const [directory, target] = ['reports', 'dist/definitions.json'];

rmSync(target, { force: true });
loadCatalogue(directory);
const files = readdirSync(directory, { recursive: true }).filter((file) => file.endsWith('.yaml'));
const values = files.map((file) => {
  const [, catalogue, workbook] = /^(?:catalogue.(.+)|(workbook))\.yaml$/.exec(file) ?? [];
  const schema = catalogue ?? workbook ?? (file.startsWith('kinds') ? 'kind' : 'report');

  return [digestDefinition(directory, file, schema), readDefinition(directory, file, schema)];
});
writeFileSync(target, JSON.stringify(Object.fromEntries(values)));
