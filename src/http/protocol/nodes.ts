import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatJson, type Node } from '../../record/node.ts';
import { chooseOffer } from './accept.ts';
import { formatXml } from './xml.ts';

/** A format of records, and of errors. */
interface NodeFormat {
  readonly mediaType: string;
  readonly format: (node: Node, numbers: boolean | undefined) => string;
}

const JSON_FORMAT: NodeFormat = {
  mediaType: 'application/json; charset=utf-8',
  // Without a line's end: clients read pages until one has exactly the two characters of an empty list.
  format: formatJson,
};

const NODE_FORMATS: readonly NodeFormat[] = [
  JSON_FORMAT,
  { mediaType: 'application/xml; charset=utf-8', format: formatXml },
  { mediaType: 'text/xml; charset=utf-8', format: formatXml },
];

/** Whether what a client accepts is there. */
export function isAcceptable({ headers }: FastifyRequest): boolean {
  return chooseOffer(headers.accept, NODE_FORMATS) !== undefined;
}

/** Answers a node in the format that the client wants most: JSON or XML; JSON when it wants neither, for an error has to be said. */
export function answerNode({ headers, reader }: FastifyRequest, reply: FastifyReply, node: Node): FastifyReply {
  const { mediaType, format } = chooseOffer(headers.accept, NODE_FORMATS) ?? JSON_FORMAT;
  return reply.type(mediaType).send(format(node, reader?.numbers));
}
