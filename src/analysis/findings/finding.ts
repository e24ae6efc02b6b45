/** The codes of findings, with severity, meaning and link to the specification. */

/** The severity of a finding: a rule was broken, something is probably wrong, or it is only useful to know. */
export type Severity = 'error' | 'warning' | 'info';

/** The codes of findings. They never change, because scripts rely on them. */
export type FindingCode =
  | 'invalid-jsonrpc'
  | 'stray-output'
  | 'batch-not-allowed'
  | 'duplicate-id'
  | 'unknown-id'
  | 'answered-twice'
  | 'response-without-request'
  | 'hung-call'
  | 'open-call'
  | 'late-result'
  | 'call-timed-out'
  | 'server-exited'
  | 'call-failed'
  | 'tool-failed'
  | 'early-message'
  | 'second-initialize'
  | 'initialized-missing'
  | 'handshake-missing'
  | 'metadata-missing'
  | 'server-request'
  | 'legacy-session'
  | 'result-type-missing'
  | 'result-type-unknown'
  | 'result-type-conflict'
  | 'input-not-continued'
  | 'mixed-eras'
  | 'header-mismatch'
  | 'capability-missing'
  | 'arguments-invalid'
  | 'result-invalid'
  | 'schema-unchecked'
  | 'tool-changed'
  | 'baseline-drift'
  | 'http-error'
  | 'http-unauthorized'
  | 'redirected-elsewhere'
  | 'session-ended'
  | 'secret-present'
  | 'recording-gap'
  | 'empty-session';

/** The properties of a kind of finding. */
export interface FindingKind {
  readonly severity: Severity;
  /** One sentence that applies to every finding of this kind. */
  readonly meaning: string;
  /** The URL of the relevant section of the specification. */
  readonly spec?: string | undefined;
}

const LEGACY = 'https://modelcontextprotocol.io/specification/2025-11-25';
const MODERN = 'https://modelcontextprotocol.io/specification/2026-07-28';
const MODERN_HTTP = `${MODERN}/basic/transports/streamable-http`;

/** All kinds of findings, by code. */
export const FINDING_KINDS: Readonly<Record<FindingCode, FindingKind>> = {
  'invalid-jsonrpc': {
    severity: 'error',
    meaning: 'A message is not valid JSON-RPC 2.0.',
    spec: `${LEGACY}/basic#messages`,
  },
  'stray-output': {
    severity: 'error',
    meaning: 'A line among the messages is not JSON-RPC.',
    spec: `${LEGACY}/basic/transports#stdio`,
  },
  'batch-not-allowed': {
    severity: 'error',
    meaning: 'Messages were sent as a batch, which only protocol version 2025-03-26 supports.',
    spec: 'https://modelcontextprotocol.io/specification/2025-06-18/changelog',
  },
  'duplicate-id': {
    severity: 'error',
    meaning: 'A request reuses an id of its sender.',
    spec: `${LEGACY}/basic#requests`,
  },
  'unknown-id': {
    severity: 'error',
    meaning: 'A response has an id that no request has.',
    spec: `${LEGACY}/basic#responses`,
  },
  'answered-twice': {
    severity: 'error',
    meaning: 'A request got a second response.',
    spec: `${LEGACY}/basic#responses`,
  },
  'response-without-request': {
    severity: 'warning',
    meaning: 'A response has no id, so it cannot be matched to a request.',
    spec: `${LEGACY}/basic#responses`,
  },
  'hung-call': {
    severity: 'error',
    meaning: 'A request never got a response.',
    spec: `${LEGACY}/basic/lifecycle#timeouts`,
  },
  'open-call': {
    severity: 'warning',
    meaning: 'A request had no response when the recording ended.',
    spec: `${LEGACY}/basic/lifecycle#timeouts`,
  },
  'late-result': {
    severity: 'warning',
    meaning: 'A request got a response after it was cancelled.',
    spec: `${LEGACY}/basic/utilities/cancellation#behavior-requirements`,
  },
  'call-timed-out': {
    severity: 'warning',
    meaning: 'A request was cancelled because it took too long.',
    spec: `${LEGACY}/basic/lifecycle#timeouts`,
  },
  'server-exited': {
    severity: 'error',
    meaning: 'The server could not be started, crashed, or exited with requests still open.',
    spec: `${LEGACY}/basic/lifecycle#shutdown`,
  },
  'call-failed': {
    severity: 'info',
    meaning: 'A request got an error response.',
    spec: `${LEGACY}/basic#error-responses`,
  },
  'tool-failed': {
    severity: 'info',
    meaning: 'A tool returned an error (isError).',
    spec: `${LEGACY}/server/tools#error-handling`,
  },
  'early-message': {
    severity: 'warning',
    meaning: 'A request was sent before the handshake was complete.',
    spec: `${LEGACY}/basic/lifecycle#initialization`,
  },
  'second-initialize': {
    severity: 'error',
    meaning: 'A client initialized twice in one conversation.',
    spec: `${LEGACY}/basic/lifecycle#initialization`,
  },
  'initialized-missing': {
    severity: 'error',
    meaning: 'A client did not send `notifications/initialized`.',
    spec: `${LEGACY}/basic/lifecycle#initialization`,
  },
  'handshake-missing': {
    severity: 'info',
    meaning: 'Requests were sent without a handshake and without a protocol version.',
    spec: `${LEGACY}/basic/lifecycle#initialization`,
  },
  'metadata-missing': {
    severity: 'error',
    meaning: 'A request of protocol version 2026-07-28 lacks required metadata.',
    spec: `${MODERN}/basic#meta`,
  },
  'server-request': {
    severity: 'error',
    meaning: 'A server sent a request, which protocol version 2026-07-28 does not allow.',
    spec: `${MODERN_HTTP}#receiving-messages`,
  },
  'legacy-session': {
    severity: 'warning',
    meaning: 'An exchange of protocol version 2026-07-28 has a session id, which that version does not have.',
    spec: `${MODERN_HTTP}#earlier-streamable-http-revisions`,
  },
  'result-type-missing': {
    severity: 'info',
    meaning: 'A result of protocol version 2026-07-28 has no resultType.',
    spec: `${MODERN}/basic#responses`,
  },
  'result-type-unknown': {
    severity: 'error',
    meaning: 'A result of protocol version 2026-07-28 has a resultType that this version does not define.',
    spec: `${MODERN}/basic#responses`,
  },
  'result-type-conflict': {
    severity: 'error',
    meaning: 'A complete result asks for input.',
    spec: `${MODERN}/basic#responses`,
  },
  'input-not-continued': {
    severity: 'warning',
    meaning: 'A result asked for input, and the client never sent the request again.',
    spec: `${MODERN}/basic#responses`,
  },
  'mixed-eras': {
    severity: 'warning',
    meaning: 'One conversation has both a handshake and requests of a protocol version without one.',
    spec: `${MODERN}/basic#meta`,
  },
  'header-mismatch': {
    severity: 'error',
    meaning: 'A header of an HTTP request is missing or contradicts the body.',
    spec: `${MODERN_HTTP}#server-validation`,
  },
  'capability-missing': {
    severity: 'warning',
    meaning: 'One side used a capability that the other did not declare.',
    spec: `${LEGACY}/basic/lifecycle#capability-negotiation`,
  },
  'arguments-invalid': {
    severity: 'error',
    meaning: 'The arguments of a call do not match the inputSchema of the tool.',
    spec: `${LEGACY}/server/tools#tool`,
  },
  'result-invalid': {
    severity: 'error',
    meaning: 'The structured result of a call does not match the outputSchema of the tool.',
    spec: `${LEGACY}/server/tools#output-schema`,
  },
  'schema-unchecked': {
    severity: 'info',
    meaning: 'The schema of a tool cannot be used to check calls.',
    spec: `${MODERN}/basic#json-schema-usage`,
  },
  'tool-changed': {
    severity: 'warning',
    meaning: 'A tool changed between two lists without a notification.',
    spec: `${LEGACY}/server/tools#list-changed-notification`,
  },
  'baseline-drift': {
    severity: 'error',
    meaning: 'A tool differs from the baseline.',
    spec: `${LEGACY}/server/tools#tool`,
  },
  'http-error': {
    severity: 'warning',
    meaning: 'An HTTP request failed without a JSON-RPC response.',
    spec: `${LEGACY}/basic/transports#sending-messages-to-the-server`,
  },
  'http-unauthorized': {
    severity: 'info',
    meaning: 'An HTTP request was not authorized.',
    spec: `${LEGACY}/basic/authorization`,
  },
  'redirected-elsewhere': {
    severity: 'warning',
    meaning: 'The server redirected a request to another origin, whose traffic is not recorded.',
    spec: `${LEGACY}/basic/transports#security-warning`,
  },
  'session-ended': {
    severity: 'warning',
    meaning: 'A client used an HTTP session that it had deleted.',
    spec: `${LEGACY}/basic/transports#session-management`,
  },
  'secret-present': {
    severity: 'warning',
    meaning: 'The recording contains a secret.',
  },
  'recording-gap': {
    severity: 'warning',
    meaning: 'Part of the session was not recorded.',
  },
  'empty-session': {
    severity: 'warning',
    meaning: 'A session has no messages.',
  },
};

/** The position of an event that is the evidence for a finding. */
export interface EventPlace {
  readonly event: string;
  readonly atMs: number;
  /** The sequence of the last message before the event, if there was one. */
  readonly after: number | undefined;
  /** The HTTP exchange that the event refers to. */
  readonly exchange?: number | undefined;
}

/** A problem or notable fact in a session. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** One sentence. */
  readonly message: string;
  /** The sequences of the messages that are the evidence, in order. */
  readonly sequences: readonly number[];
  /** The event that is the evidence, if no message is. */
  readonly at?: EventPlace | undefined;
  readonly spec?: string | undefined;
}
