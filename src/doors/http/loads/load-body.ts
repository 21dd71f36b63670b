import { declareBody } from '../../../base/body/index.ts';
import { AppError } from '../../../base/index.ts';
import { type Decisions, type Preferred, QUESTIONS } from '../../../store/loads/index.ts';

/** The questions that yes answers. */
const ACCEPTED = QUESTIONS.filter((name) => name !== 'conflicts');

const DECISIONS = {
  prefer: {
    type: 'string',
    enum: ['here', 'files'],
    description:
      'The value that counts of a field that the files and the data give differently. Default: a conflict stops the load.',
  },
  accept: {
    type: 'string',
    description: `The questions that are answered with yes, with commas: ${ACCEPTED.join(', ')}.`,
    example: 'fewer,days',
    default: '',
  },
} as const;

/** The fields beside the files of POST /v3/loads. */
export const loadBody = declareBody({
  type: 'object',
  properties: {
    dry_run: {
      type: 'string',
      enum: ['0', '1', 'first'],
      description:
        '1: tell what would change, and store nothing. first: only what the files are taken for, from their first rows.',
      default: '0',
    },
    mapping: {
      type: 'string',
      description:
        'A mapping in YAML or JSON, as the file mapping.yaml of plumbline load. Default: that of an earlier load of such files, else one that is proposed.',
    },
    ...DECISIONS,
  },
  additionalProperties: false,
});

/** The body of POST /v3/loads/{id}/undo. */
export const undoBody = declareBody({
  type: 'object',
  properties: {
    dry_run: { type: 'boolean', description: 'True to tell what would change, and change nothing.', default: false },
    ...DECISIONS,
  },
  additionalProperties: false,
});

/** Returns what a person has decided. @throws AppError usage for an unknown question. */
export function readLoadDecisions({ prefer, accept }: { prefer?: Preferred; accept: string }): Decisions {
  const names = accept.split(',').filter((name) => name.trim() !== '');
  const accepted = names.map((name) => {
    const question = ACCEPTED.find((each) => each === name.trim());
    if (question) return question;
    const message = `accept: ${name} is no question that yes answers. Give one of ${ACCEPTED.join(', ')}`;
    throw new AppError('usage', message, { fields: [{ field: 'accept', message }] });
  });
  return { prefer, accepted };
}
