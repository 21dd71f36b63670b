/** The part of odata-csdl that tests use; it has no types of its own. */
declare module 'odata-csdl' {
  interface ConversionOptions {
    strict?: boolean;
    annotations?: boolean;
    messages?: unknown[];
  }

  /** Converts CSDL from XML to JSON. @throws for what is no CSDL, if strict. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read many parts of the model.
  export function xml2json(xml: string, options?: ConversionOptions): any;
}
