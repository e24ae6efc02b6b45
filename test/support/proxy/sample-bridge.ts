import type { Settlement } from '../../../src/intercept/held-message.ts';
import type { Interceptor, InterceptorOptions } from '../../../src/intercept/interceptor.ts';
import { objectsOf } from '../../../src/protocol/rpc-body.ts';
import { Bridge } from '../../../src/proxy/bridge/bridge.ts';
import type {
  ClientDialogue,
  DialogueEvents,
  MessageDelivery,
} from '../../../src/transport/inbound/inbound-transport.ts';
import type { TargetLink, TargetLinkEvents } from '../../../src/transport/outbound/target-link.ts';
import { sampleInterceptor } from './sample-interceptor.ts';

export interface SampleBridgeOptions {
  /** Overrides of the outbound link, which otherwise only records its calls. */
  readonly link?: Partial<TargetLink>;
  readonly interceptor?: Partial<InterceptorOptions>;
  readonly outOfOrder?: boolean;
}

export interface Joined {
  readonly client: DialogueEvents;
  readonly target: TargetLinkEvents;
  readonly say: (text: string, exchange?: number) => boolean;
}

export interface SampleBridge {
  readonly bridge: Bridge;
  readonly interceptor: Interceptor;
  /** The calls at both ends, in order. */
  readonly noted: string[];
  /** The recorded entries, in order. */
  readonly recorded: string[];
  /** The delivery details passed to a dialogue with each message. */
  readonly deliveries: MessageDelivery[];
  /** Joins a dialogue, which records everything except for these overrides. */
  readonly join: (dialogue?: Partial<ClientDialogue>) => Joined;
}

/** A bridge for tests, whose clients and targets only do what the test makes them do. */
export function sampleBridge({
  link = {},
  interceptor: requested = {},
  outOfOrder = false,
}: SampleBridgeOptions = {}): SampleBridge {
  const noted: string[] = [];
  const recorded: string[] = [];
  const deliveries: MessageDelivery[] = [];
  const targets: TargetLinkEvents[] = [];
  const note = (what: string) => (): void => void noted.push(what);
  const interceptor = sampleInterceptor({ mode: 'passthrough', ...requested });
  const bridge = new Bridge({
    cancelsByMessage: true,
    holding: { interceptor, outOfOrder, nowMs: () => 0 },
    openLink(events) {
      targets.push(events);
      return {
        send: (text) => noted.push(`> ${text}`) > 0,
        abandon: (id) => void noted.push(`abandon ${id}`),
        pause: note('pause'),
        resume: note('resume'),
        close: async () => void noted.push('close'),
        ...link,
      };
    },
    events: {
      onSent: ({ text }, judged) => void recorded.push(`> ${judged === undefined ? text : spelled(judged)}`),
      onSentInPlace: (text) => void recorded.push(`> own ${text}`),
      onLine: (stream, text, conversation) => void noted.push(`${stream} of ${conversation}: ${text}`),
      onTargetExchange: (_, conversation) => void noted.push(`exchange of ${conversation}`),
      onStopped: (judged) => void recorded.push(`< ${spelled(judged)}`),
      onUndelivered: ({ text }) => void noted.push(`lost ${text}`),
      onTargetEnd: (reason, conversation) => void noted.push(`end of ${conversation}: ${reason}`),
    },
  });
  const join: SampleBridge['join'] = (dialogue = {}) => {
    const client = bridge.join({
      conversation: 1,
      isSingle: false,
      takesApart: false,
      deliver(text, delivery) {
        deliveries.push(delivery);
        return noted.push(`< ${delivery.isOwn ? 'own ' : ''}${text}`) > 0;
      },
      resume: note('resume client'),
      end: note('end'),
      ...dialogue,
    });
    const target = targets.at(-1);
    if (target === undefined) throw new Error('No link');
    const say = (text: string, exchange?: number): boolean => {
      const body = objectsOf(text);
      if (body === undefined) throw new Error(`No message: ${text}`);
      return client.onMessage({ body, text, place: { conversation: 1, exchange } });
    };
    return { client, target, say };
  };
  return { bridge, interceptor, noted, recorded, deliveries, join };
}

function spelled(settled: readonly Settlement[]): string {
  return settled.map(({ text, id, decision }) => `${id || '-'} ${decision.action} ${text}`).join(', ');
}
