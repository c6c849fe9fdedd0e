// Reads whole numbers from a query.

interface QuerySchema {
  properties?: Record<string, { type?: string }>;
}

const wholeNumber = /^(?:0|[1-9]\d{0,14})$/;

/** In a URL all is text. What is no whole number, or stands there twice, stays for the schema to refuse. */
export function readQuery(schema: QuerySchema, query: unknown): unknown {
  const read = Object.entries(query as Record<string, unknown>).map(([name, value]) => {
    const isNumber =
      schema.properties?.[name]?.type === 'integer' && typeof value === 'string' && wholeNumber.test(value);
    return [name, isNumber ? Number(value) : value] as const;
  });
  return Object.fromEntries(read);
}
