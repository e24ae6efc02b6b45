import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../../src/present/visible-text.ts';
import type { ConversationSummary } from '../../model/session/session-handshake.ts';
import { JsonTree } from '../../parts/json-tree/json-tree.tsx';
import { usePage } from '../../state/page.ts';
import { counted, formatCount } from '../../state/times.ts';
import { capabilityNames, implementationName } from './capability-names.ts';
import { FactList, Part } from './fact-list.tsx';

/** The number of conversations shown at first. */
const AT_ONCE = 20;

const WAYS: Readonly<Record<ConversationSummary['how'], string>> = {
  initialize: 'initialize',
  discover: 'server/discover and the metadata of requests',
  metadata: 'the metadata of requests',
  unknown: 'not seen',
};

/** The client and server of each conversation, and their capabilities. */
export function Conversations({
  conversations,
}: {
  readonly conversations: readonly ConversationSummary[];
}): JSX.Element {
  const [max, setMost] = useState(AT_ONCE);
  const isOne = conversations.length <= 1;
  const title = isOne ? 'Handshake' : 'Conversations';
  return (
    <Part title={title} aside={isOne ? undefined : formatCount(conversations.length)}>
      {conversations.length === 0 && <p class="hint">No messages.</p>}
      {conversations.slice(0, max).map((conversation) => (
        <Conversation key={conversation.number} conversation={conversation} isOne={isOne} />
      ))}
      {conversations.length > max && (
        <button type="button" class="button" onClick={() => setMost(max * 4)}>
          Show more
        </button>
      )}
    </Part>
  );
}

interface ConversationProps {
  readonly conversation: ConversationSummary;
  readonly isOne: boolean;
}

function Conversation({ conversation, isOne }: ConversationProps): JSX.Element {
  const page = usePage();
  const {
    number,
    messages,
    how,
    key,
    requestedVersion: requested,
    revision,
    clientInfo,
    serverInfo,
    instructions,
  } = conversation;
  const { clientCapabilities, serverCapabilities } = conversation;
  const way =
    key === undefined ? (
      WAYS[how]
    ) : (
      <button type="button" class="link" onClick={() => page.show(key)}>
        {WAYS[how]}
      </button>
    );
  return (
    <div class="conversation">
      {!isOne && (
        <h3>
          Conversation {number}
          <span class="hint">{counted(messages, 'message')}</span>
        </h3>
      )}
      <FactList
        facts={[
          ['Revision', revision === undefined ? 'not negotiated' : revisionText(visible(revision), requested)],
          ['Source', way],
          ['Client', clientInfo === undefined ? undefined : visible(implementationName(clientInfo))],
          [
            'Client capabilities',
            clientCapabilities === undefined ? undefined : visible(capabilityNames(clientCapabilities)),
          ],
          ['Server', serverInfo === undefined ? undefined : visible(implementationName(serverInfo))],
          [
            'Server capabilities',
            serverCapabilities === undefined ? undefined : visible(capabilityNames(serverCapabilities)),
          ],
          [
            'Instructions',
            instructions === undefined ? undefined : (
              <p key="i" class="prose">
                {visible(instructions)}
              </p>
            ),
          ],
        ]}
      />
      <AsSent
        parts={[
          ['Client', clientInfo],
          ['Client capabilities', clientCapabilities],
          ['Server', serverInfo],
          ['Server capabilities', serverCapabilities],
        ]}
      />
    </div>
  );
}

function revisionText(revision: string, requested: string | undefined): string {
  return requested === undefined || requested === revision
    ? revision
    : `${revision} (the client requested ${visible(requested)})`;
}

interface AsSentProps {
  readonly parts: readonly (readonly [title: string, text: string | undefined])[];
}

function AsSent({ parts }: AsSentProps): JSX.Element | null {
  const [isOpen, setIsOpen] = useState(false);
  const sent = parts.flatMap(([title, text]) => (text === undefined ? [] : [{ title, text }]));
  if (sent.length === 0) return null;
  return (
    <>
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? '▾' : '▸'} Raw JSON
      </button>
      {isOpen &&
        sent.map(({ title, text }) => (
          <div key={title} class="as-sent">
            <h3 class="small-title">{title}</h3>
            <JsonTree text={text} label={title} />
          </div>
        ))}
    </>
  );
}
