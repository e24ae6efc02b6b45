import { elementTexts, ObjectView } from '../json/object-view.ts';
import { sliceAt } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import { VERSION_KEY } from './era.ts';

/** The member of `params` that the header `Mcp-Name` repeats, by method. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** A tool argument that a header repeats. */
export interface ParamHeader {
  /** The part of the header name after `Mcp-Param-`. */
  readonly name: string;
  /** The path to the argument inside `arguments`. */
  readonly path: readonly string[];
}

/**
 * The HTTP headers of a message of revision 2026-07-28. They repeat parts of the body, and servers compare the two, so
 * any sender or editor of a body must derive them from it. A message without a revision has no such headers.
 */
export function modernHeaders(
  text: JsonText,
  paramHeadersOf: (tool: string) => readonly ParamHeader[] = () => [],
): [name: string, value: string][] {
  const message = ObjectView.of(text);
  const method = message?.string('method');
  const params = message?.object('params');
  const version = params?.object('_meta')?.string(VERSION_KEY);
  if (method === undefined || params === undefined || version === undefined) return [];
  const headers: [string, string][] = [
    ['MCP-Protocol-Version', headerValue(version)],
    ['Mcp-Method', headerValue(method)],
  ];
  const key = NAMED_BY.get(method);
  const name = key === undefined ? undefined : params.string(key);
  if (name === undefined) return headers;
  headers.push(['Mcp-Name', headerValue(name)]);
  if (method === 'tools/call') headers.push(...paramHeaders(params.textOf('arguments') ?? '', paramHeadersOf(name)));
  return headers;
}

/** Remembers the tool arguments that are marked with `x-mcp-header`. */
export class ToolHeaders {
  readonly #byTool = new Map<string, readonly ParamHeader[]>();

  /** Reads a `tools/list` response or its result. The latest listing of a tool replaces earlier ones. */
  learn(text: JsonText): void {
    const mayMark = /x-mcp-header|\\u/.test(text);
    if (!mayMark && this.#byTool.size === 0) return;
    const message = ObjectView.of(text);
    const tools = (message?.object('result') ?? message)?.textOf('tools') ?? '';
    for (const listed of elementTexts(tools) ?? []) {
      const tool = ObjectView.of(listed);
      const name = tool?.string('name');
      if (name === undefined) continue;
      const headers = mayMark ? marksIn(tool?.value('inputSchema')) : [];
      if (headers.length > 0) this.#byTool.set(name, headers);
      else this.#byTool.delete(name);
    }
  }

  headersFor(tool: string): readonly ParamHeader[] {
    return this.#byTool.get(tool) ?? [];
  }
}

function paramHeaders(args: JsonText, marked: readonly ParamHeader[]): [string, string][] {
  return marked.flatMap(({ name, path }): [string, string][] => {
    const value = spelling(sliceAt(args, path));
    return value === undefined ? [] : [[`Mcp-Param-${name}`, headerValue(value)]];
  });
}

/**
 * The spelling of an argument in a header. Missing values, null, non-scalars and integers that would lose digits are
 * omitted.
 */
function spelling(literal: JsonText | undefined): string | undefined {
  if (literal === undefined || /^[{[n]/.test(literal)) return undefined;
  const value = JSON.parse(literal) as string | number | boolean;
  if (typeof value !== 'number') return String(value);
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isExact ? String(value) : undefined;
}

/** Values that headers transmit unchanged: printable ASCII and tabs, without white space at either end. */
const SAFE = /^[!-~](?:[\t -~]*[!-~])?$/;
const ENCODED = /^=\?base64\?.*\?=$/s;

/** The value for a header: unchanged if that is safe, otherwise base64. */
function headerValue(value: string): string {
  return SAFE.test(value) && !ENCODED.test(value) ? value : `=?base64?${base64Of(value)}?=`;
}

function base64Of(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

const MARK = 'x-mcp-header';

/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The revision does not allow `number`. Clients reject tools that use it, but servers still compare the header, and an
 * unexpected header does no harm.
 */
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean', 'number'];

/** Keywords with subschemas that cannot be attributed to one argument. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
]);
const ELSEWHERE_BY_NAME: ReadonlySet<string> = new Set([
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);

/** No call has arguments this deep, and the paths to deeper marks might not fit into memory. */
const DEEPEST = 64;

interface SubSchema {
  readonly schema: unknown;
  /** Absent if the subschema is not reached through `properties` alone. */
  readonly path: readonly string[] | undefined;
}

/** The marks of one schema. A misplaced mark or a duplicate name makes the tool invalid, so that no mark counts. */
function marksIn(inputSchema: unknown): readonly ParamHeader[] {
  const marks = new Map<string, ParamHeader>();
  // Iterative, because the server controls the depth of the schema.
  const found: SubSchema[] = [{ schema: inputSchema, path: [] }];
  for (const { schema, path } of found) {
    if (!isObject(schema)) continue;
    if (Object.hasOwn(schema, MARK)) {
      const name = schema[MARK];
      if (path === undefined || path.length === 0 || !TYPES.includes(schema.type)) return [];
      if (typeof name !== 'string' || !TOKEN.test(name) || marks.has(name.toLowerCase())) return [];
      marks.set(name.toLowerCase(), { name, path });
    }
    for (const inner of innerSchemas(schema, path)) found.push(inner);
  }
  return [...marks.values()];
}

function innerSchemas(schema: Readonly<Record<string, unknown>>, path: SubSchema['path']): SubSchema[] {
  const outer = path !== undefined && path.length < DEEPEST ? path : undefined;
  return Object.entries(schema).flatMap(([key, value]): SubSchema[] => {
    if (key === 'properties' && isObject(value)) {
      return Object.entries(value).map(([name, inner]) => ({ schema: inner, path: outer && [...outer, name] }));
    }
    const elsewhere = ELSEWHERE.has(key)
      ? [value].flat()
      : ELSEWHERE_BY_NAME.has(key)
        ? Object.values(value ?? {})
        : [];
    return elsewhere.map((inner) => ({ schema: inner, path: undefined }));
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
