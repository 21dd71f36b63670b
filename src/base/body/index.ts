export type { BodyOf, BodySchema } from './body-schema.ts';
export { type DeclaredBody, declareBody } from './declared-body.ts';
