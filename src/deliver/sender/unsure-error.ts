import { AppError } from '../../error.ts';

/** An error after which nobody knows whether the message arrived. */
export class UnsureError extends AppError {}
