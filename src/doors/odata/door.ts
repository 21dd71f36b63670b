import type { Door } from '../command/command.ts';

/** OData for Excel and Power BI: everything below /odata/v4. */
export const ODATA: Door = {
  routes: async () => (await import('./odata-routes.ts')).registerOData,
  tag: {
    name: 'OData',
    description: 'The marts and the reports for Excel and Power BI: OData v4 at /odata/v4, read-only.',
  },
};
