/**
 * Reads a report as JSON, with decimals as texts: JavaScript's numbers are floats.
 * The server is at PLUMBLINE_URL, and PLUMBLINE_TOKEN has the scope reports.
 */
export async function readReport(name, parameters) {
  const url = new URL(`/v3/reports/${name}`, process.env.PLUMBLINE_URL ?? 'http://127.0.0.1:8080');
  url.search = new URLSearchParams({ ...parameters, decimals: 'string', meta: 'short' }).toString();
  const token = process.env.PLUMBLINE_TOKEN;
  const response = await fetch(url, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url.pathname} answers ${response.status}: ${text}`);
  return text;
}
