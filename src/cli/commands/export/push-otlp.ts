import { Option } from 'commander';
import { otlpRequests } from '../../../formats/otlp/otlp.ts';
import { ReelError } from '../../../model/errors.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { countOf } from '../../../present/figures.ts';
import { addressFrom, headerFrom } from '../../flags/connection-options.ts';
import { usage } from '../../flags/flag-values.ts';
import { gather } from '../../flags/repeated.ts';
import type { PostResult } from './post-json.ts';

/** The flags of a command that can send spans to a collector. */
export interface PushFlags {
  readonly endpoint?: string;
  readonly header?: readonly string[];
}

/** A collector and the headers to send with each request. */
export interface OtlpCollector {
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export function pushOptions(): Option[] {
  return [
    new Option('--endpoint <url>', 'with -f otlp: send the spans to this collector'),
    new Option('--header <name: value>', 'with --endpoint: add a request header (repeatable)').argParser(gather),
  ];
}

/** The collector from the flags, if given. */
export function collectorFrom(
  { endpoint, header = [] }: PushFlags,
  others: { readonly outputFormat: string; readonly output?: string; readonly encryptTo?: readonly string[] },
): OtlpCollector | undefined {
  if (endpoint === undefined) {
    if (header.length > 0) throw usage('--header works only with --endpoint', 'Add it, or remove the flag.');
    return undefined;
  }
  if (others.outputFormat !== 'otlp')
    throw usage(`--endpoint does not work with -f ${others.outputFormat}`, 'Add -f otlp.');
  if (others.output !== undefined) throw usage('--endpoint and -o cannot be used together', 'Remove one of them.');
  if (others.encryptTo !== undefined)
    throw usage('--endpoint and --encrypt-to cannot be used together', 'Remove one of them.');
  return { url: collectorAt(endpoint), headers: header.map(headerFrom) };
}

/** Sends the spans of a session to a collector in batches; resolves with their number. */
export async function pushSpans(session: RecordedSession, collector: OtlpCollector): Promise<number> {
  const { postJson } = await import('./post-json.ts');
  let sent = 0;
  for await (const { text, spans } of otlpRequests(session)) {
    const answer = await postJson(collector.url, text, collector.headers).catch((error: unknown) => {
      throw failed(`Cannot reach ${nameOf(collector)}: ${(error as Error).message}`, sent, undefined, error);
    });
    if (answer.status < 200 || answer.status > 299) {
      const said = `${answer.status} ${answer.statusText}`.trim();
      throw failed(`${nameOf(collector)} responded with ${said}`, sent, hintFor(answer.status));
    }
    const refused = refusedBy(answer);
    if (refused !== undefined) throw failed(`${nameOf(collector)} rejected ${refused}`, sent);
    sent += spans;
  }
  return sent;
}

/** The URL without the parts that may contain secrets. */
export function nameOf({ url }: OtlpCollector): string {
  return `${url.origin}${url.pathname}`;
}

/** A URL without a path gets the standard path for traces. */
function collectorAt(endpoint: string): URL {
  const url = addressFrom('endpoint', endpoint, 'http://localhost:4318/v1/traces');
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url;
}

function failed(what: string, sent: number, hint?: string, cause?: unknown): ReelError {
  const before = sent === 0 ? '' : ` after ${countOf(sent, 'span')} had been sent`;
  return new ReelError('target-unreachable', `${what}${before}`, { cause, ...(hint !== undefined && { hint }) });
}

function hintFor(status: number): string | undefined {
  if (status === 401 || status === 403) return 'Add credentials: --header "Authorization: …"';
  if (status === 404 || status === 405)
    return 'Check the URL: OTLP over HTTP usually listens on port 4318, path /v1/traces.';
  return status === 415 ? 'The collector must accept OTLP as JSON over HTTP.' : undefined;
}

/** A collector may reject some of the spans and say so in its response. */
function refusedBy({ text }: PostResult): string | undefined {
  try {
    const { partialSuccess } = JSON.parse(text) as {
      partialSuccess?: { rejectedSpans?: string | number; errorMessage?: unknown };
    };
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
    if (!(rejected > 0)) return undefined;
    const why =
      typeof partialSuccess?.errorMessage === 'string' ? `: ${partialSuccess.errorMessage.slice(0, 200)}` : '';
    return `${countOf(rejected, 'span')}${why}`;
  } catch {
    return undefined;
  }
}
