import { SIGN_IN_SCOPES } from './tokens.ts';
import { PART_SCHEMA } from './written-part.ts';

/** The most rules of a file. Unit: rules. */
const MAX_ACCESS_RULES = 1_000;

const TEXT = { type: 'string', minLength: 1 };

/** The JSON Schema of access.yaml, by which files are read and editors complete them. */
export const ACCESS_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Plumbline access',
  description: 'Says who may sign in, what they may do, and which part of the data they see.',
  type: 'object',
  additionalProperties: false,
  required: ['rules'],
  properties: {
    contact: {
      ...TEXT,
      description: 'The words for somebody whom no rule lets in, such as "Ask finance@example.com".',
    },
    trust_email: {
      type: 'boolean',
      description:
        'True if the issuer has one tenant and checks every email. Default: email counts with email_verified.',
    },
    rules: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_ACCESS_RULES,
      description: 'Read from the top: the first that matches decides about scopes and rows.',
      items: { $ref: '#/$defs/rule' },
    },
  },
  $defs: {
    rule: {
      type: 'object',
      additionalProperties: false,
      required: ['claim', 'scopes'],
      properties: {
        claim: { ...TEXT, description: 'The name of a claim of the issuer, such as groups or email.' },
        has: { ...TEXT, description: 'A text that the list of the claim has.' },
        is: { ...TEXT, description: 'The text that the claim is.' },
        ends: {
          ...TEXT,
          pattern: '^@[^@ ]+$',
          description: 'The end of an email, from its "@", such as "@example.com".',
        },
        scopes: { type: 'array', minItems: 1, items: { enum: SIGN_IN_SCOPES } },
        only: {
          type: ['object', 'string'],
          pattern: '^mine$',
          ...PART_SCHEMA,
          description: 'The part that is seen: mine, or filters of reports with ids, such as {department_id: [3, 4]}.',
        },
        all: { enum: [true], description: 'In place of only: everything is seen.' },
        otherwise: {
          type: ['object', 'string'],
          pattern: '^(none|all|mine)$',
          ...PART_SCHEMA,
          description:
            'Where accounts have a department_filter, the part of the rows for somebody without an account: none, all, mine, or filters as in only. Default: none.',
        },
      },
    },
  },
} as const;
