import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Served, type ServeOptions, serve } from '../http/served.ts';
import { openBrowser, openTab, type Tab } from './browser.ts';

/** A server, and a tab of a browser on it. */
export interface Opened {
  server: Served;
  tab: Tab;
}

/** Opens a server and a tab before the tests of a file, and closes both after them. The fields are there meanwhile. */
export function openServer(options: ServeOptions = {}): Opened {
  const opened = {} as Opened & { browser?: Browser };
  beforeAll(async () => {
    opened.server = await serve(options);
    opened.browser = await openBrowser();
    opened.tab = await openTab(opened.browser, opened.server.url);
  });
  afterAll(async () => {
    await opened.browser?.close();
    await opened.server?.close();
  });
  return opened;
}
