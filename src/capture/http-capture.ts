import { HttpRelay } from '../proxy/http-relay.ts';
import { responseRewriter } from '../proxy/response-rewrite.ts';
import { DEFAULT_REDACTION } from '../redact/redaction-rules.ts';
import { redactorFor } from '../redact/redactor-for.ts';
import { openListener } from '../transport/http-listener.ts';
import { HttpTarget } from '../transport/http-target.ts';
import { endsWithin } from '../transport/time-limit.ts';
import { DEFAULT_MAX_MESSAGE_BYTES, type HttpCaptureOptions, type ListenerSurroundings } from './capture-options.ts';
import { EntryMaker, eventEntry } from './entry-maker.ts';
import { HttpRecorder } from './http-recorder.ts';
import { KeptSession } from './kept-session.ts';
import { headerFor } from './session-header.ts';

const STATUS_DONE = 0;
const STATUS_UNRECORDED = 1;
/** What exchanges that are cut off at the end get to be recorded. */
const LAST_ENTRIES_MS = 500;

/** Listens for clients, carries what they say to the target and back, and records it, until a signal ends it. */
export async function captureHttp(options: HttpCaptureOptions, around: ListenerSurroundings): Promise<number> {
  const { target: choice, listen } = options;
  const target = new HttpTarget(choice);
  const salt = around.newId() + around.newId();
  const exactValues = [...choice.headers.map(([, value]) => value), ...(listen.token ? [listen.token] : [])];
  const redactor = await redactorFor(options.redaction ?? DEFAULT_REDACTION, { salt, exactValues });
  let relay: HttpRelay | undefined;
  const listener = await openListener({
    ...listen,
    passesContinue: true,
    onRequest: (request, response, path) => relay?.carry(request, response, path),
  });
  target.refuseOwnPort(listener.port, listener.address);
  const url = listener.origin + choice.url.pathname + choice.url.search;
  const facts = { transport: choice.transport, command: [choice.url.href], url: choice.url.href, listen: url };
  const header = headerFor(facts, options, around);
  let unrecorded: string | undefined;
  let isEnding = false;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let kept: KeptSession;
  try {
    kept = new KeptSession(header, options, around, redactor, (reason) => {
      if (!options.mustRecord) return;
      unrecorded = reason;
      end();
    });
  } catch (error) {
    await listener.close();
    throw error;
  }
  const recorder = new HttpRecorder({
    maker: new EntryMaker(kept.id),
    maxMessageBytes: options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
    streamsAreConversations: choice.transport === 'sse',
    record: (entries) => kept.append(entries),
    nowMs: around.nowMs,
  });
  relay = new HttpRelay({
    target,
    addedHeaders: choice.headers,
    keepsHost: choice.keepsHost ?? false,
    nowMs: around.nowMs,
    afterwards: recorder.afterwards,
    isEnding: () => isEnding,
    begin: (head) => recorder.begin(head),
    rewriter: responseRewriter({
      target: choice.url,
      hasEndpoints: choice.transport === 'sse',
      keepsOauth: choice.keepsOauth ?? false,
    }),
  });
  const stopListening = around.onSignal((signal) => {
    kept.append([eventEntry('mcpreel.action', around.nowMs(), { action: 'signal', signal })]);
    kept.signalled();
    end();
  });
  around.onListening(url);

  await ended;
  isEnding = true;
  await listener.close();
  // What is on its way is cut off by its client's end: that the target left first would not be true.
  await endsWithin(recorder.finished(), LAST_ENTRIES_MS);
  target.close();
  await kept.end({ code: STATUS_DONE, reason: 'producer_shutdown' });
  stopListening();
  if (unrecorded === undefined) return STATUS_DONE;
  around.note(`Error: The session was ended because it could not be recorded any more: ${unrecorded}`);
  return STATUS_UNRECORDED;
}
