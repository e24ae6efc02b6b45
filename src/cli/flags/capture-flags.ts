import { REDACT_MODES } from '../../redact/redaction-rules.ts';

/** The transports for reaching a server, or mcpreel itself. */
export const TRANSPORTS = ['stdio', 'sse', 'streamable-http'] as const;

export interface CaptureFlag {
  readonly name: string;
  /** The name of its value in the help; `undefined` for a flag without one. */
  readonly value: string | undefined;
  readonly repeats: boolean;
  /** The allowed values, if limited. */
  readonly choices?: readonly string[];
  readonly help: string;
}

/** The flags that `mcpreel [flags] -- server` and `mcpreel record` share. */
export const CAPTURE_FLAGS: readonly CaptureFlag[] = [
  { ...flag('transport', 'kind', 'how to reach the server'), choices: TRANSPORTS },
  flag('target-command', 'command', 'the server, as for a shell; or put it after --'),
  flag('env', 'key=value', 'a variable for the server (repeat)', true),
  flag('cwd', 'folder', 'where the server runs'),
  flag('kill-after', 'seconds', 'how long it may go on after a SIGTERM (1.5)'),
  flag('orphan-after', 'seconds', 'how long it may outlive its client (5)'),
  flag('drain', 'seconds', 'how long to wait for what it leaves behind (2)'),

  flag('target-url', 'url', 'the server, if it is reached over HTTP'),
  flag('header', 'name: value', 'a header for the server, never recorded (repeat)', true),
  flag('ca', 'file', 'trust the certificates in this file, and no others'),
  flag('insecure', undefined, 'accept any certificate'),
  flag('keep-host', undefined, 'tell the server the host that the client asked for'),
  flag('no-oauth-rewrite', undefined, 'pass OAuth’s addresses on as the server gave them'),

  { ...flag('listen-transport', 'kind', 'how clients connect'), choices: TRANSPORTS },
  flag('listen-port', 'port', 'where clients connect; 0 for any free port (8080)'),
  flag('listen-host', 'address', 'the address to listen on (127.0.0.1)'),
  flag('allow-remote', undefined, 'let other machines connect; needs --token'),
  flag('token', 'token', 'clients must send it: Mcpreel-Token: … or ?token=…'),
  flag('max-conversations', 'n', 'serve at most n between different transports (256)'),

  flag('tui', undefined, 'show the session on this terminal'),
  flag('headless', undefined, 'do not show it, even on a terminal'),

  flag('intercept', undefined, 'hold messages until somebody lets them go'),
  flag('hold', 'filter', 'hold only what matches, like tool:search'),
  flag('hold-timeout', 'seconds', 'let a held message go after this time (30)'),
  flag('hold-out-of-order', undefined, 'let others overtake a held message'),
  flag('fail-closed', undefined, 'drop what nobody let go, and tell who asked'),
  flag('rules', 'file', 'change, answer, delay or drop messages by rules'),

  flag('label', 'name', 'a short name for the session'),
  flag('meta', 'key=value', 'a note in the session’s metadata (repeat)', true),
  flag('session-file', 'file', 'write the session file at exit and on signals'),
  flag('save-every', 'seconds', 'write the session file every so often, too'),
  flag('trace-file', 'file', 'write the trace here instead of the state folder'),
  flag('no-trace', undefined, 'remove the trace once the session file is written'),
  flag('split', undefined, 'write a trace for each conversation'),
  flag('max-bytes', 'size', 'start another file at this size: 64k, 128M, 1G'),
  flag('max-files', 'n', 'keep only the last n files of a trace'),
  flag('max-message', 'size', 'record longer messages by size and hash (128M)'),
  flag('must-record', undefined, 'do not start, or end, what cannot be recorded'),

  { ...flag('redact', 'mode', 'what to remove, secrets if absent'), choices: REDACT_MODES },
  flag('redact-key', 'key', 'remove the values of members of this name (repeat)', true),
  flag('redact-value', 'pattern', 'remove what matches this RE2 pattern (repeat)', true),
  flag('redact-path', 'path', 'remove what stands at this JSONPath (repeat)', true),
];

/** The flags that say how to reach a server, which other commands take too. */
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

/** The flags that say how clients connect. */
export const LISTEN_FLAGS: readonly string[] = [
  'listen-transport',
  'listen-port',
  'listen-host',
  'allow-remote',
  'token',
];

/** The flags that say what to redact. */
export const REDACT_FLAGS: readonly string[] = ['redact', 'redact-key', 'redact-value', 'redact-path'];

/** The given values by flag name. */
export type CaptureFlagValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

function flag(name: string, value: string | undefined, help: string, repeats = false): CaptureFlag {
  return { name, value, repeats, help };
}
