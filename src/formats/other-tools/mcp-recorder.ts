import { decodeUtf8 } from '../../json/lines.ts';
import { ObjectView } from '../../json/object-view.ts';
import type { RecordedSession } from '../../model/session.ts';
import { parseTime } from '../../model/times.ts';
import { scanTopLevel } from '../children.ts';
import type { FormatConfidence, FormatReader, ReadOptions, Source } from '../format.ts';
import {
  type CapturePass,
  type ForeignCapture,
  readCapture,
  recordElements,
  unknownMembers,
} from './foreign-capture.ts';

/**
 * Reads cassettes of mcp-recorder: interactions, each of which is a request with its response and latency. They contain
 * no request times, so each request follows the previous response.
 */
export const mcpRecorder: FormatReader = {
  id: 'mcp-recorder',
  title: 'mcp-recorder cassette (JSON)',
  detect,
  read,
};

const KNOWN = ['request', 'response', 'latency_ms'];

function detect(head: string): FormatConfidence {
  const first = ObjectView.ofHead(head.replace(/^\uFEFF/, ''));
  const metadata = first.object('metadata');
  if (first.has('version') && metadata?.has('recorded_at') && metadata.has('server_url')) return 'certain';
  if (!first.has('interactions') && first.openMember()?.key !== 'interactions') return 'no';
  // Recorders of plain HTTP have interactions, too.
  return /"jsonrpc"\s*:/.test(head) ? 'certain' : 'no';
}

async function read(source: Source, options: ReadOptions): Promise<RecordedSession> {
  const document = await scanTopLevel(source, (key) => key === 'metadata');
  const bytes = document.members.get('metadata')?.bytes;
  const metadata = bytes && ObjectView.of(decodeUtf8(bytes) ?? '');
  const capture: ForeignCapture = {
    format: 'mcp-recorder',
    sourceUnit: 'entry',
    records: await recordElements(source, document, 'interactions'),
    begin: (pass) => begin(pass, metadata),
  };
  return readCapture(source, options, capture);
}

function begin(pass: CapturePass, metadata: ObjectView | undefined): (record: ObjectView) => void {
  const url = metadata?.string('server_url');
  const program = url?.startsWith('stdio://') ? url.slice('stdio://'.length).trim() : undefined;
  const isStdio = program !== undefined || metadata?.string('transport_type') === 'stdio';
  pass.atMs = parseTime(metadata?.string('recorded_at') ?? '') ?? 0;
  pass.know({
    startedAtMs: pass.atMs,
    label: metadata?.object('server_info')?.string('name'),
    transport: isStdio ? 'stdio' : 'streamable-http',
    command: program === undefined ? undefined : program.split(/\s+/),
    url: isStdio ? undefined : url,
    keepsakes: metadata && { transcript: metadata.text },
  });
  return (record) => {
    const request = record.textOf('request') ?? 'null';
    const response = record.textOf('response') ?? 'null';
    if (request === 'null' && response === 'null') {
      const type = record.string('type');
      if (type !== 'lifecycle') pass.problem('request and response are missing');
      pass.record(type, record);
    }
    const kept = unknownMembers(record, KNOWN);
    if (request !== 'null') pass.message(request, { direction: 'client_to_server', kept });
    const latencyMs = record.number('latency_ms') ?? 0;
    if (latencyMs > 0) pass.at(pass.atMs + latencyMs, 'latency_ms');
    const sse = record.value('response_is_sse') === true ? '{"event":"message"}' : undefined;
    if (response !== 'null') pass.message(response, { direction: 'server_to_client', sse, kept });
  };
}
