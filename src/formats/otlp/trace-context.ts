/** The parent span of a call, as set by its sender (W3C Trace Context). */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const ZEROS = /^0*$/;

/** Parses a `traceparent`. Returns `undefined` if it is invalid. */
export function parseTraceparent(text: string | undefined): TraceParent | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text ?? '') ?? [];
  if (version === undefined || version === 'ff' || ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  // Only future versions may contain more fields.
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

const TRACESTATE_MEMBER = /^[a-z\d][\w\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_MEMBERS = 32;

/** Parses a `tracestate` and removes white space around its members. Returns `undefined` if a member is invalid. */
export function parseTracestate(text: string | undefined): string | undefined {
  const members = (text ?? '').split(',').map((member) => member.trim());
  const sent = members.filter((member) => member !== '');
  const isValid =
    sent.length > 0 && sent.length <= MAX_MEMBERS && sent.every((member) => TRACESTATE_MEMBER.test(member));
  return isValid ? sent.join(',') : undefined;
}
