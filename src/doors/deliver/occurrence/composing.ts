import type { OpenedReport } from '../content/ask-report.ts';
import type { DeliveryMessage, MessageSubject } from '../message/delivery-message.ts';
import type { DeliveryPlan, DeliverySetup } from '../setup/delivery-setup.ts';
import type { OutboxWriter } from './outbox.ts';

/** The parts that the messages of an occurrence are made of. */
export interface Composing {
  readonly setup: Pick<DeliverySetup, 'page' | 'domains' | 'maxAttachmentBytes' | 'accessFile'>;
  readonly plan: DeliveryPlan;
  readonly subject: MessageSubject;
  readonly opened: OpenedReport;
  readonly outbox: OutboxWriter;
}

export interface Composed {
  readonly messages: readonly DeliveryMessage[];
  readonly dataVersion: string;
  readonly period: string;
  readonly rows: number | null;
  /** The rows that the condition was tried on; absent without one. */
  readonly judged?: number;
}
