import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatJson, type Node } from '../../../store/record/index.ts';
import { chooseOffer } from './accept.ts';
import { formatXml } from './xml.ts';

/** A format of records and errors. */
interface NodeFormat {
  readonly mediaType: string;
  readonly format: (node: Node, isLive: boolean | undefined) => string;
}

const JSON_FORMAT: NodeFormat = {
  mediaType: 'application/json; charset=utf-8',
  // No trailing newline: clients page until the body is exactly the two characters of an empty list.
  format: formatJson,
};

const NODE_FORMATS: readonly NodeFormat[] = [
  JSON_FORMAT,
  { mediaType: 'application/xml; charset=utf-8', format: formatXml },
  { mediaType: 'text/xml; charset=utf-8', format: formatXml },
];

/** Returns whether the client accepts a format of records. */
export function isAcceptable({ headers }: FastifyRequest): boolean {
  return chooseOffer(headers.accept, NODE_FORMATS) !== undefined;
}

/** Answers a node in the client's preferred format; JSON if it accepts neither, so that errors are shown. */
export function answerNode({ headers, reader }: FastifyRequest, reply: FastifyReply, node: Node): FastifyReply {
  const { mediaType, format } = chooseOffer(headers.accept, NODE_FORMATS) ?? JSON_FORMAT;
  return reply.type(mediaType).send(format(node, reader?.numbers));
}
