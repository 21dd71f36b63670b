import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_BODY_DEPTH } from '../../src/base/json-object.ts';
import { parseJson } from '../../src/doors/http/protocol/bodies.ts';
import { parseForm } from '../../src/doors/http/protocol/form-body.ts';
import { formatXml } from '../../src/doors/http/protocol/xml.ts';
import { parseXml } from '../../src/doors/http/protocol/xml-body.ts';
import { openService, type Service } from './service.ts';

const XML = 'application/xml';
const FORM = 'application/x-www-form-urlencoded';

describe('XML bodies have the shape of answers', () => {
  it.each([
    ['<r><name>Ada</name></r>', { name: 'Ada' }],
    [
      '<r>\n  <name> A </name>\n  <tags>\n <item>a</item>\n<item>b</item></tags>\n</r>',
      { name: ' A ', tags: ['a', 'b'] },
    ],
    ['<r><tags><item>a</item></tags><notes></notes><x/></r>', { tags: ['a'], notes: null, x: null }],
    ['<r><name type="text"></name></r>', { name: '' }],
    ['<r><a><item><b>1</b></item></a></r>', { a: [{ b: '1' }] }],
    ['<r><h><item key="2026-01-01"><item>8</item></item></h></r>', { h: { '2026-01-01': ['8'] } }],
    [
      '<?xml version="1.0" encoding="utf-8"?><r><n>a &amp; &lt;b&gt; &#233;<![CDATA[<c>]]></n></r>',
      { n: 'a & <b> é<c>' },
    ],
  ])('%s', (text, expected) => {
    expect(parseXml(text)).toEqual(expected);
  });

  it.each([
    ['<!DOCTYPE r><r><a>1</a></r>', 'DTD'],
    ['<!DOCTYPE r [<!ENTITY x "y">]><r><a>&x;</a></r>', 'DTD'],
    ['<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>', 'DTD'],
    ['<r><a>&x;</a></r>', 'entity'],
    ['<r><a>1</b></r>', 'tag'],
    ['<r><a>1</a>', 'tag'],
    ['<r/><r/>', 'root'],
    ['text', 'root'],
    ['<r>x<a>1</a></r>', 'both text and elements'],
    ['<r><a>1</a><a>2</a></r>', 'occurs twice'],
    ['<r><item>1</item><a>2</a></r>', 'list items and fields'],
    ['<?xml version="1.0" encoding="ISO-8859-1"?><r/>', 'ISO-8859-1'],
    ['<r>\u0001</r>', 'character'],
    [`${'<a>'.repeat(500_000)}`, 'deep'],
  ])('refuses %.60s', (text, reason) => {
    expect(() => parseXml(text)).toThrow(reason);
  });

  it('reads back all written values', () => {
    const record = {
      text: ' <a> & "b"\r\n\tc]]> 日本 ',
      empty: '',
      nothing: null,
      tags: ['a', ''],
      week: { '2026-01-01': ['1', '2'] },
      team: [{ people_id: '1', rate: null }],
    };
    expect(parseXml(formatXml(record))).toEqual(record);
  });
});

describe('form bodies', () => {
  it.each([
    ['name=Ada+L&email=', { name: 'Ada L', email: '' }],
    ['tags[]=a&tags[]=b', { tags: ['a', 'b'] }],
    ['tags%5B%5D=a', { tags: ['a'] }],
    ['tags=a&tags=b', { tags: ['a', 'b'] }],
    ['department[department_id]=3', { department: { department_id: '3' } }],
    ['t[add][1][id]=5&t[add][0][id]=4&t[del][]=9', { t: { add: [{ id: '4' }, { id: '5' }], del: ['9'] } }],
    ['t[999999]=x', { t: ['x'] }],
  ])('%s', (text, expected) => {
    expect(parseForm(text)).toEqual(expected);
  });

  it.each(['=x', 'a[b=1', 'a]=1', '[a]=1', 'a[][b]=1', 'a=1&a[b]=2', 'a[b]=2&a=1', `a${'[b]'.repeat(100)}=1`])(
    'refuses %.40s',
    (text) => {
      expect(() => parseForm(text)).toThrow();
    },
  );

  it('member names are never special', () => {
    const form = parseForm('__proto__[x]=1&constructor=2') as object;
    expect(Object.keys(form)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(form)).toBe(Object.prototype);
  });
});

describe('bodies of records', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      people: [{ people_id: 1, name: 'Ann', tags: ['a'] }],
      roles: [{ role_id: 3, name: 'Digger' }],
    });
  });
  afterAll(() => service.close());

  const send = (method: string, path: string, type: string, text: string | Buffer, headers = {}) =>
    service.send(method, `/v3/${path}`, text, { 'content-type': type, ...headers });

  it.each([
    [XML, '<person><name>Ada</name><role_id>3</role_id><tags><item>X</item></tags></person>'],
    ['text/xml; charset=utf-8', '<p><name>Ada</name><role_id>3</role_id><tags><item>X</item></tags></p>'],
    [FORM, 'name=Ada&role_id=3&tags[]=X'],
    [`${FORM};charset=UTF-8`, 'name=Ada&role_id=3&tags=X'],
    ['application/json', '{"name": "Ada", "role_id": "3", "tags": ["X"]}'],
  ])('POST and PATCH as %s', async (type, text) => {
    const made = await send('POST', 'people', type, text);
    expect([made.status, made.json.name, made.json.role_id, made.json.tags], made.text).toEqual([201, 'Ada', 3, ['x']]);
    const again = await send('PATCH', `people/${made.json.people_id}`, type, text, { accept: XML });
    expect([again.status, parseXml(again.text)]).toMatchObject([200, { name: 'Ada', role_id: '3', tags: ['x'] }]);
  });

  it.each([
    [XML, '<p><name>Ada</name><colour>red</colour></p>'],
    [FORM, 'name=Ada&colour=red'],
  ])('names unknown fields of %s', async (type, text) => {
    const { headers } = await send('POST', 'people', type, text);
    expect(headers['x-ignored-fields']).toBe('colour');
  });

  it.each([
    ['application/json', '{"name": "Ada"'],
    ['application/json', '['.repeat(400_000)],
    ['application/json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['application/json', `${'[['.repeat(MAX_BODY_DEPTH)}${']]'.repeat(MAX_BODY_DEPTH)}`],
    ['application/json', Buffer.from([0x22, 0xff, 0x22])],
    [XML, '<!DOCTYPE p [<!ENTITY n "Ada">]><p><name>&n;</name></p>'],
    [XML, '<p><name>Ada</p>'],
    [XML, Buffer.from('<p><name>\u00e9</name></p>', 'latin1')],
    [XML, Buffer.from('\ufeff<p><name>x</name></p>', 'utf16le')],
    [FORM, 'name[][x]=1'],
    [FORM, ''],
    [XML, ''],
    ['application/json', ''],
  ])('an unreadable or missing body is 400: %s %.40j', async (type, text) => {
    const { status, json } = await send('POST', 'people', type, text, { 'idempotency-key': 'deep' });
    expect([status, json.name, json.errors[0].field]).toEqual([400, 'bad_request', 'body']);
  });

  it('refuses other types with 415', async () => {
    expect((await send('POST', 'people', 'text/csv', 'name\nAda')).status).toBe(415);
  });

  it.each(['application/json', XML, FORM])('an empty body of type %s is no body, for every method', async (type) => {
    const { json } = await service.call('POST', '/v3/people', { name: 'Gone' });
    const one = `people/${json.people_id}`;
    expect((await send('GET', one, type, '')).status).toBe(200);
    expect((await send('HEAD', 'people', type, '')).status).toBe(200);
    expect((await send('DELETE', one, type, '')).status).toBe(204);
    expect((await service.call('DELETE', `/v3/${one}`, undefined, { 'content-type': type })).status).toBe(404);
  });

  it('parseJson keeps every member', () => {
    expect(Object.keys(parseJson('{"__proto__": 1}') as object)).toEqual(['__proto__']);
  });
});
