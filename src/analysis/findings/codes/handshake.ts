import type { MessageEntry } from '../../../model/entry.ts';
import type { Finder } from '../finder.ts';
import type { FindingMessage } from '../seen-message.ts';
import { named, senderOf } from '../wording.ts';

/** The first requests of a conversation that began without a handshake. */
interface EarlyMessage {
  readonly sequences: number[];
  readonly method: string;
  /** Whether they may come from a client that initialized elsewhere: over HTTP not every server uses sessions. */
  readonly isAnyones: boolean;
}

/** The maximum number of early requests to list in one finding. */
const MAX_EARLY = 10;

/** Checks the message order of revisions that have a handshake. */
export const handshake: Finder = {
  codes: ['early-message', 'second-initialize', 'initialized-missing', 'handshake-missing'],
  watch(report) {
    const early = new Map<number, EarlyMessage>();
    const unready = new Set<number>();
    let hasAny = false;

    const initialize = ({ entry, conversation }: FindingMessage): void => {
      hasAny = true;
      // Each connection to a server without sessions has its own handshake, and nothing tells them apart.
      const isShared = conversation.number === 0 && entry.http !== undefined;
      if (conversation.handshake === 'answered' && !isShared) {
        report('second-initialize', 'The client sent initialize a second time. Initialize once per connection.', [
          entry.sequence,
        ]);
      }
      const before = early.get(conversation.number);
      early.delete(conversation.number);
      if (before === undefined) return;
      report(
        'early-message',
        `The client sent ${named(before.method)} before initialize. Send initialize first.`,
        before.sequences,
      );
    };

    const fromClient = (message: FindingMessage): void => {
      const { entry, conversation, revision } = message;
      const method = message.envelope.method ?? '';
      if (method === 'initialize') initialize(message);
      else if (revision !== undefined) return;
      else if (conversation.handshake === 'none') {
        if (!conversation.hasModern) remember(early, conversation.number, method, entry);
      } else if (conversation.handshake === 'asked') {
        const sentence = `The client sent ${named(method)} before the response to initialize. Wait for the initialize response.`;
        report('early-message', sentence, [entry.sequence]);
      } else if (!conversation.initialized && !unready.has(conversation.number)) {
        unready.add(conversation.number);
        const sentence = `The client sent ${named(method)} without notifications/initialized. Send that notification after initialize.`;
        report('initialized-missing', sentence, [entry.sequence]);
      }
    };

    const fromServer = ({ entry, envelope, conversation }: FindingMessage): void => {
      if (conversation.handshake === 'none' || conversation.initialized || unready.has(conversation.number)) return;
      const sentence = `${senderOf(entry)} sent ${named(envelope.method ?? '')} before notifications/initialized. Wait for that notification.`;
      report('early-message', sentence, [entry.sequence]);
    };

    return {
      message(message) {
        const { kind, method } = message.envelope;
        if (kind !== 'request' || method === 'ping') return;
        if (message.isFromClient) fromClient(message);
        else fromServer(message);
      },
      end() {
        for (const { sequences, method, isAnyones } of early.values()) {
          if (isAnyones && hasAny) continue;
          report(
            'handshake-missing',
            `The client sent ${named(method)} without a handshake. Send initialize first.`,
            sequences,
          );
        }
      },
    };
  },
};

function remember(
  early: Map<number, EarlyMessage>,
  conversation: number,
  method: string,
  { sequence, http }: MessageEntry,
): void {
  const known = early.get(conversation);
  const isAnyones = conversation === 0 && http !== undefined;
  if (known === undefined) early.set(conversation, { method, sequences: [sequence], isAnyones });
  else if (known.sequences.length < MAX_EARLY) known.sequences.push(sequence);
}
