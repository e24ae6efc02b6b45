// Reads recordings with the public library, and compares them with the forwarded messages.
import { library } from './reel.mjs';

/** Reads a trace with all of its parts, or a session file. Message texts are exact. */
export async function readRecorded(path) {
  const { readSession, entriesOf } = await library();
  const problems = [];
  const session = await readSession(path, { onProblem: ({ place, what }) => problems.push(`${place}: ${what}`) });
  const messages = [];
  const events = [];
  for await (const entry of entriesOf(session)) {
    if (entry.kind === 'message') messages.push(messageOf(entry));
    else events.push({ kind: entry.event, raw: JSON.parse(entry.raw ?? 'null'), after: messages.length });
  }
  return { id: session.header.id, messages, events, problems };
}

function messageOf({ direction, text, conversation = 0, atMs, injected = false }) {
  return { dir: direction === 'client_to_server' ? 'in' : 'out', text, conversation, atMs, injected };
}

/** How many entries the gaps of a recording represent. */
export function missedIn({ events }) {
  return events.reduce((sum, { kind, raw }) => sum + (kind === 'mcpreel.gap' ? raw.missed : 0), 0);
}

/** The texts of one direction, in order. */
export function textsOf({ messages }, dir) {
  return messages.filter((message) => message.dir === dir).map(({ text }) => text);
}

/**
 * Compares the recording of one direction of a stream with its messages in order. A recorded text that was never sent,
 * or in another order, is a fault; a missing text is lost unless a gap covers it.
 */
export function compareInOrder(recorded, passed) {
  const faults = [];
  let at = 0;
  let missing = 0;
  for (const text of recorded) {
    const found = passed.indexOf(text, at);
    if (found < 0) {
      faults.push(`recorded, but not said after what stands before it: ${text.slice(0, 200)}`);
      continue;
    }
    missing += found - at;
    at = found + 1;
  }
  return { faults, missing: missing + passed.length - at };
}

/** The same where each text is sent once and the order is not known. */
export function compareAsSets(recorded, passed) {
  const known = new Set(passed);
  const there = new Set(recorded);
  const faults = recorded
    .filter((text) => !known.has(text))
    .map((text) => `recorded, but never said: ${text.slice(0, 200)}`);
  if (there.size !== recorded.length) faults.push(`${recorded.length - there.size} messages are recorded twice`);
  return { faults, missing: passed.filter((text) => !there.has(text)).length };
}

/**
 * Compares the recorded conversations with those of the clients: each must be recorded as one conversation, with all of
 * its messages and none of another. A client sends its requests in sequence, so their order is known. A client that
 * does not log what it received has no `received`: each of its requests must have a response.
 */
export function compareConversations({ messages }, ledgers) {
  const recorded = byConversation(messages);
  const faults = [];
  let missing = 0;
  const byFirst = new Map([...recorded.values()].map((texts) => [texts[0].text, texts]));
  for (const { name, sent, received } of ledgers) {
    const own = byFirst.get(sent[0]);
    if (own === undefined) {
      faults.push(`${name} is not there`);
      missing += sent.length + (received?.length ?? 0);
      continue;
    }
    byFirst.delete(sent[0]);
    const heard = compareInOrder(textsOf({ messages: own }, 'in'), sent);
    const said = received === undefined ? unanswered(own) : compareInOrder(textsOf({ messages: own }, 'out'), received);
    faults.push(...[...heard.faults, ...said.faults].map((fault) => `${name}: ${fault}`));
    missing += heard.missing + said.missing;
  }
  for (const [first] of byFirst)
    faults.push(`a conversation that nobody had, or mixed with another: ${first.slice(0, 200)}`);
  return { faults, missing };
}

/** The requests of a conversation without a response, and responses without a request. */
function unanswered(messages) {
  const ids = (dir) => textsOf({ messages }, dir).map((text) => JSON.parse(text).id);
  const [asked, answered] = [ids('in').filter((id) => id !== undefined), ids('out').filter((id) => id !== undefined)];
  const faults = answered.filter((id) => !asked.includes(id)).map((id) => `an answer to ${id}, which was not asked`);
  return { faults, missing: asked.filter((id) => !answered.includes(id)).length };
}

function byConversation(messages) {
  const groups = new Map();
  for (const message of messages) {
    const { conversation } = message;
    if (!groups.has(conversation)) groups.set(conversation, []);
    groups.get(conversation).push(message);
  }
  return groups;
}
