import type { Door } from '../command/command.ts';

/** The tools of language models: `plumbline mcp`, and POST /mcp. */
export const MCP: Door = {
  commands: {
    mcp: {
      summary: 'Give a language model the reports as tools.',
      load: async () => (await import('./mcp-command.ts')).mcp,
    },
  },
  routes: async () => (await import('./mcp-route.ts')).registerMcp,
};
