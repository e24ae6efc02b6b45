import { REDACT_MODES } from '../../redact/redaction-rules.ts';

/** The transports for reaching a server, or mcpreel itself. */
export const TRANSPORTS = ['stdio', 'sse', 'streamable-http'] as const;

export interface CaptureFlag {
  readonly name: string;
  /** The name of its value in the help; `undefined` for a flag without one. */
  readonly value: string | undefined;
  readonly repeats?: boolean;
  /** The allowed values, if limited. */
  readonly choices?: readonly string[];
  /** The default as the help shows it. */
  readonly usual?: string;
  readonly help: string;
  /** The heading in the help. */
  readonly group: string;
}

const LISTEN_DEFAULT = 'that of the server, but not stdio in a terminal';

/** The flags that `mcpreel [flags] -- server` and `mcpreel record` share. */
export const CAPTURE_FLAGS: readonly CaptureFlag[] = [
  ...flags('Server:', [
    [
      'transport',
      'kind',
      'how to connect to the server',
      { choices: TRANSPORTS, usual: 'stdio, or streamable-http for a URL' },
    ],
    ['target-command', 'command', 'server command, if not given after --'],
    ['env', 'key=value', 'set an environment variable for the server (repeatable)', { repeats: true }],
    ['cwd', 'folder', 'working directory of the server'],
    [
      'kill-after',
      'seconds',
      'kill a server that ignores SIGTERM or the end of its input after this time',
      { usual: '1.5' },
    ],
    ['orphan-after', 'seconds', 'stop the server this long after its client died', { usual: '5' }],
    ['drain', 'seconds', 'wait this long for child processes of an exited server', { usual: '2' }],
  ]),
  ...flags('Server over HTTP:', [
    ['target-url', 'url', 'server URL'],
    ['header', 'name: value', 'add a request header; not recorded (repeatable)', { repeats: true }],
    ['ca', 'file', 'trust only the certificates in this file'],
    ['insecure', undefined, 'accept any certificate'],
    ['keep-host', undefined, 'forward the client’s Host header unchanged'],
    ['no-oauth-rewrite', undefined, 'do not rewrite OAuth URLs in responses'],
  ]),
  ...flags('Clients:', [
    ['listen-transport', 'kind', 'how clients connect to mcpreel', { choices: TRANSPORTS, usual: LISTEN_DEFAULT }],
    ['listen-port', 'port', 'listen on this port, 0 for any', { usual: '8080' }],
    ['listen-host', 'address', 'listen on this address', { usual: '127.0.0.1' }],
    ['allow-remote', undefined, 'let other machines connect; needs --token'],
    ['token', 'token', 'require this token: Mcpreel-Token: … or ?token=…'],
    ['max-conversations', 'n', 'allow this many open conversations', { usual: '256' }],
  ]),
  ...flags('Terminal UI:', [
    ['tui', undefined, 'show the terminal UI'],
    ['headless', undefined, 'do not show the terminal UI'],
  ]),
  ...flags('Interception:', [
    ['intercept', undefined, 'hold every message until you decide on it'],
    ['hold', 'filter', 'hold only matching messages, like tool:search'],
    ['hold-timeout', 'seconds', 'forward held messages after this', { usual: '30' }],
    ['hold-out-of-order', undefined, 'let later messages overtake a held one'],
    ['fail-closed', undefined, 'never forward undecided messages; return an error'],
    ['rules', 'file', 'change, answer, delay or drop messages by rules'],
  ]),
  ...flags('Recording:', [
    ['label', 'name', 'name the session', { usual: 'from its command' }],
    ['meta', 'key=value', 'add metadata to the session (repeatable)', { repeats: true }],
    ['session-file', 'file', 'write a session file at exit and on signals (with a listener, - is standard output)'],
    ['save-every', 'seconds', 'also write the session file at this interval'],
    ['trace-file', 'file', 'write the trace here, not to the state folder'],
    ['no-trace', undefined, 'delete the trace once the session file is written'],
    ['split', undefined, 'write a trace for each client conversation'],
    ['max-bytes', 'size', 'start a new trace file at this size: 64k, 128M'],
    ['max-files', 'n', 'keep only the last n files of a trace'],
    ['max-message', 'size', 'record longer messages as a hash', { usual: '128M' }],
    ['must-record', undefined, 'stop, or do not start, if recording fails'],
    ['durable', undefined, 'record every message before it is forwarded (stdio)'],
    ['no-journal', undefined, 'record at once, without a journal in memory (stdio)'],
  ]),
  ...flags('Redaction:', [
    ['redact', 'mode', 'what to redact', { choices: REDACT_MODES, usual: 'secrets' }],
    ['redact-key', 'key', 'redact the values of this key (repeatable)', { repeats: true }],
    ['redact-value', 'pattern', 'redact matches of this RE2 pattern (repeatable)', { repeats: true }],
    ['redact-path', 'path', 'redact the value at this JSONPath (repeatable)', { repeats: true }],
  ]),
];

/** The flags for reaching a server, which other commands take too. */
export const TARGET_FLAGS: readonly string[] = [
  'transport',
  'target-command',
  'env',
  'cwd',
  'target-url',
  'header',
  'ca',
  'insecure',
];

/** The flags for client connections. */
export const LISTEN_FLAGS: readonly string[] = [
  'listen-transport',
  'listen-port',
  'listen-host',
  'allow-remote',
  'token',
];

/** The redaction flags. */
export const REDACT_FLAGS: readonly string[] = ['redact', 'redact-key', 'redact-value', 'redact-path'];

/** The given values by flag name. */
export type CaptureFlagValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

type FlagRow = readonly [
  name: string,
  value: string | undefined,
  help: string,
  more?: Pick<CaptureFlag, 'repeats' | 'choices' | 'usual'>,
];

function flags(group: string, rows: readonly FlagRow[]): CaptureFlag[] {
  return rows.map(([name, value, help, more]) => ({ name, value, help, group, ...more }));
}
