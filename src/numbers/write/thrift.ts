/*
 * Thrift's compact protocol, in which the footer of a Parquet file is written.
 * Reading returns a tree that is written back byte for byte, whatever its fields mean.
 */

const [TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, STRUCT] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12,
] as const;

/** A value: an integer, the bytes of a text or a double, a list, or a struct. */
export type Thrift = bigint | boolean | Uint8Array | ThriftList | ThriftStruct;

export interface ThriftList {
  readonly type: number;
  readonly items: Thrift[];
}

export type ThriftStruct = Map<number, { readonly type: number; value: Thrift }>;

/**
 * Reads the struct at the start of the bytes.
 * @throws RangeError for incomplete bytes or an unknown type.
 */
export function readStruct(bytes: Uint8Array): ThriftStruct {
  let position = 0;
  const byte = () => {
    const value = bytes[position];
    if (value === undefined) throw new RangeError('The bytes end inside a value');
    position += 1;
    return value;
  };
  const take = (length: number) => {
    position += length;
    return bytes.subarray(position - length, position);
  };
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const next = byte();
      value |= BigInt(next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
  };
  const integer = () => {
    const value = varint();
    return (value >> 1n) ^ -(value & 1n);
  };
  const list = (): ThriftList => {
    const header = byte();
    const size = header >> 4 === 15 ? Number(varint()) : header >> 4;
    const type = header & 15;
    // In a list, unlike in a struct, a boolean takes a byte.
    const item = () => (type === TRUE || type === FALSE ? byte() === TRUE : read(type));
    return { type, items: Array.from({ length: size }, item) };
  };
  const struct = (): ThriftStruct => {
    const fields: ThriftStruct = new Map();
    for (let id = 0; ; ) {
      const header = byte();
      if (header === 0) return fields;
      id = header >> 4 === 0 ? Number(integer()) : id + (header >> 4);
      fields.set(id, { type: header & 15, value: read(header & 15) });
    }
  };
  const read = (type: number): Thrift => {
    if (type === TRUE || type === FALSE) return type === TRUE;
    if (type === BYTE) return take(1);
    if (type === I16 || type === I32 || type === I64) return integer();
    if (type === DOUBLE) return take(8);
    if (type === BINARY) return take(Number(varint()));
    if (type === LIST || type === SET) return list();
    if (type === STRUCT) return struct();
    throw new RangeError(`Unknown type of value: ${type}`);
  };
  return struct();
}

export function writeStruct(fields: ThriftStruct): Uint8Array {
  const bytes: number[] = [];
  const varint = (value: bigint) => {
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
  };
  const integer = (value: bigint) => varint(value < 0n ? -2n * value - 1n : 2n * value);
  const append = (more: Uint8Array) => {
    for (const each of more) bytes.push(each);
  };
  const list = ({ type, items }: ThriftList) => {
    if (items.length < 15) bytes.push((items.length << 4) | type);
    else {
      bytes.push(0xf0 | type);
      varint(BigInt(items.length));
    }
    for (const item of items) {
      if (typeof item === 'boolean') bytes.push(item ? TRUE : FALSE);
      else write(type, item);
    }
  };
  const struct = (values: ThriftStruct) => {
    let last = 0;
    for (const [id, { type, value }] of values) {
      const tag = typeof value === 'boolean' ? (value ? TRUE : FALSE) : type;
      if (id > last && id - last <= 15) bytes.push(((id - last) << 4) | tag);
      else {
        bytes.push(tag);
        integer(BigInt(id));
      }
      write(tag, value);
      last = id;
    }
    bytes.push(0);
  };
  const write = (type: number, value: Thrift): void => {
    if (typeof value === 'boolean') return;
    if (typeof value === 'bigint') integer(value);
    else if (value instanceof Uint8Array) {
      if (type === BINARY) varint(BigInt(value.length));
      append(value);
    } else if (value instanceof Map) struct(value);
    else list(value);
  };
  struct(fields);
  return Uint8Array.from(bytes);
}
