import { decodeString } from '../../json/scan.ts';
import type { JsonText, MessageEntry } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import type { RecordedSession } from '../../model/session.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { exchangeIn } from '../calls/call-reply.ts';
import { contractPlace, sourceLineOf, sourcePlace } from './source-place.ts';

/** A `tools/call` whose id an earlier one had. The import contract does not allow that. */
export class DuplicateCall extends ReelError {
  readonly request: MessageEntry;
  readonly id: string;

  constructor(request: MessageEntry, id: string, session: Pick<RecordedSession, 'sourceUnit'>, more = '') {
    super(
      'transcript-invalid',
      `duplicate tools/call request id ${JSON.stringify(id)} at ${placeOf(request, session)}${more}`,
    );
    this.request = request;
    this.id = id;
  }
}

/**
 * The same error with the place of the earlier call, and the reason if the ids look different. It reads the session
 * again, because an import does not remember where it saw each id.
 */
export async function describeDuplicate(
  session: RecordedSession,
  { request, id }: DuplicateCall,
): Promise<DuplicateCall> {
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      if (entry.kind !== 'message' || !isSameCall(entry, request, id)) continue;
      const texts = [entry, request].map((message) => envelopeOf(message).id ?? '');
      const why = texts[0] === texts[1] ? '' : `; in an import, the ids ${texts.join(' and ')} are the same`;
      return new DuplicateCall(request, id, session, `, first at ${placeOf(entry, session)}${why}`);
    }
  }
  return new DuplicateCall(request, id, session);
}

function isSameCall(other: MessageEntry, request: MessageEntry, id: string): boolean {
  const { method, id: text } = envelopeOf(other);
  return (
    method === 'tools/call' &&
    other.sequence !== request.sequence &&
    text !== undefined &&
    plain(text) === id &&
    exchangeIn(other.http) === exchangeIn(request.http)
  );
}

function plain(id: JsonText): string {
  return id.startsWith('"') ? decodeString(id) : id;
}

function placeOf(message: MessageEntry, session: Pick<RecordedSession, 'sourceUnit'>): string {
  return contractPlace(sourcePlace(sourceLineOf(message), session));
}
