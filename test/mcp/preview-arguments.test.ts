import { expect, it } from 'vitest';
import { describePreviewOperation } from '../../src/doors/http/preview/preview-operation.ts';
import { previewTool } from '../../src/doors/mcp/preview-tool.ts';
import type { ToolAccess } from '../../src/doors/mcp/report-tool.ts';
import { readPreviewBody } from '../../src/store/ask/preview-body.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';

const catalogues = readCatalogues();

/** Calls the tool as far as its arguments are read, as POST /v3/preview reads them. */
function readArguments(sent: object): Promise<unknown> {
  const preview: ToolAccess['preview'] = async (body) => {
    throw readPreviewBody(body);
  };
  const access = { catalogues, preview } as ToolAccess;
  const { signal } = new AbortController();
  return previewTool.run({ changes: [{ method: 'DELETE', path: '/v3/people/1' }], ...sent }, access, signal);
}

it('the tool preview requires what POST /v3/preview does', () => {
  const described = describePreviewOperation(catalogues.full);
  const { required } = previewTool.inputSchema(catalogues.full) as { required: string[] };
  expect(described).toMatchObject({
    requestBody: { content: { 'application/json': { schema: { required } } } },
  });
});

it('the tool preview limits the rows of a table, also without parameters', async () => {
  for (const sent of [{}, { parameters: null }])
    await expect(readArguments({ report: 'projects', ...sent })).rejects.toMatchObject({
      parameters: { 'per-page': '50' },
    });
});

it.each([5, 'period=2026-03', true])(
  'the tool preview refuses the parameters %j, as POST /v3/preview',
  async (parameters) => {
    await expect(readArguments({ report: 'projects', parameters })).rejects.toThrow(
      `parameters: ${JSON.stringify(parameters)} is not an object of the parameters of the report`,
    );
  },
);
