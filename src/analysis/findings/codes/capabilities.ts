import { ObjectView } from '../../../json/object-view.ts';
import { locate } from '../../../json/splice.ts';
import type { JsonText } from '../../../model/entry.ts';
import type { Call } from '../../calls/call.ts';
import type { Finder } from '../finder.ts';
import { capabilitiesIn } from '../seen-message.ts';
import { named } from '../wording.ts';

/** The capability that methods require, and the first revision that requires it. */
interface CapabilityNeed {
  readonly methods: RegExp;
  readonly capability: readonly string[];
  readonly since?: string;
}

/** Requests that a client may send only if the server announced the capability. The first matching row counts. */
const OF_SERVER: readonly CapabilityNeed[] = [
  { methods: /^tools\/(?:list|call)$/, capability: ['tools'] },
  { methods: /^prompts\/(?:list|get)$/, capability: ['prompts'] },
  { methods: /^resources\/(?:un)?subscribe$/, capability: ['resources', 'subscribe'] },
  { methods: /^resources\/(?:list|read|templates\/list)$/, capability: ['resources'] },
  { methods: /^logging\/setLevel$/, capability: ['logging'] },
  { methods: /^completion\/complete$/, capability: ['completions'], since: '2025-03-26' },
];

/** Requests that a server may send only if the client announced the capability. */
const OF_CLIENT: readonly CapabilityNeed[] = [
  { methods: /^sampling\/createMessage$/, capability: ['sampling'] },
  { methods: /^elicitation\/create$/, capability: ['elicitation'] },
  { methods: /^roots\/list$/, capability: ['roots'] },
];

/** Notifications that a side may send only if it announced the capability itself. */
const OF_SELF: readonly CapabilityNeed[] = [
  { methods: /^notifications\/message$/, capability: ['logging'] },
  { methods: /^notifications\/tools\/list_changed$/, capability: ['tools'] },
  { methods: /^notifications\/prompts\/list_changed$/, capability: ['prompts'] },
  { methods: /^notifications\/resources\/(?:list_changed|updated)$/, capability: ['resources'] },
  { methods: /^notifications\/roots\/list_changed$/, capability: ['roots'] },
];

/** Finds uses of capabilities that were not announced. Each is reported once per conversation. */
export const capabilities: Finder = {
  codes: ['capability-missing'],
  watch(report) {
    const reported = new Set<string>();
    const tell = (conversation: number, user: string, method: string, missing: string, sequence: number): void => {
      const key = `${conversation} ${user} ${method}`;
      if (reported.has(key) || reported.size >= MAX_TOLD) return;
      reported.add(key);
      report('capability-missing', `${user} ${named(method)}, but ${missing}. Declare it, or do not send this.`, [
        sequence,
      ]);
    };
    return {
      message({ entry, envelope, isFromClient, conversation, revision }) {
        const { method, kind } = envelope;
        if (method === undefined) return;
        const [sender, other] = isFromClient ? ['client', 'server'] : ['server', 'client'];
        const isRequest = kind === 'request';
        const needs = !isRequest ? OF_SELF : isFromClient ? OF_SERVER : OF_CLIENT;
        const announcer = isRequest ? other : sender;
        const announced = announcer === 'server' ? conversation.serverCapabilities : conversation.clientCapabilities;
        const missing = missingOf(needs, method, announced, revision ?? conversation.agreedRevision);
        if (missing === undefined) return;
        const sentence = `${isRequest ? `the ${announcer}` : 'it'} did not declare the capability ${missing}`;
        tell(conversation.number, `The ${sender} sent`, method, sentence, entry.sequence);
      },
      call(call, conversation) {
        for (const { method, sequence } of requestedIn(call)) {
          const announced = capabilitiesIn(call.request)?.text;
          const missing = missingOf(OF_CLIENT, method, announced, undefined);
          if (missing === undefined) continue;
          const sentence = `the request did not declare the client capability ${missing}`;
          tell(conversation.number, 'The server asked for', method, sentence, sequence);
        }
      },
    };
  },
};

const MAX_TOLD = 10_000;

/**
 * The capability that a method requires and that was not announced. If the announcement is unknown, nothing is missing.
 */
function missingOf(
  needs: readonly CapabilityNeed[],
  method: string,
  announced: JsonText | undefined,
  revision: string | undefined,
): string | undefined {
  const need = needs.find(({ methods }) => methods.test(method));
  if (need === undefined || announced === undefined || !announced.startsWith('{')) return undefined;
  if (need.since !== undefined && (revision ?? '') < need.since) return undefined;
  const found = locate(announced, need.capability);
  const value = found && announced.slice(found.start, found.end);
  return value === undefined || value === 'null' || value === 'false' ? need.capability.join('.') : undefined;
}

/** The methods of the input requests in the responses to a call. */
function requestedIn({ rounds, answer }: Call): { readonly method: string; readonly sequence: number }[] {
  const answers = [...rounds.map((round) => round.answer), ...(answer === undefined ? [] : [answer])];
  return answers.flatMap(({ text, sequence }) => {
    if (!text.includes('"input_required"')) return [];
    const requests = ObjectView.of(text)?.object('result')?.object('inputRequests');
    const methods = requests?.members.map(({ key }) => requests.object(key)?.string('method'));
    return (methods ?? []).flatMap((method) => (method === undefined ? [] : [{ method, sequence }]));
  });
}
