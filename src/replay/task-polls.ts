import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import type { ClientStep, RecordedDialogue } from '../recorded/recorded-dialogue.ts';
import type { SendRequest } from './era/dialect.ts';
import type { ConnectionReply } from './replay-connection.ts';

const MIN_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;
const OVER: ReadonlySet<string | undefined> = new Set(['completed', 'failed', 'cancelled']);

export interface PollOptions {
  readonly ask: SendRequest;
  readonly limitMs: number;
  readonly nowMs: () => number;
  /** Whether a response matches the recorded one. */
  readonly isExpected: (answer: JsonText) => boolean;
}

/** Polls a task until it reaches the recorded state, because the client does not control how fast it progresses. */
export async function pollTask(
  text: JsonText,
  { ask, limitMs, nowMs, isExpected }: PollOptions,
): Promise<ConnectionReply> {
  const endMs = nowMs() + limitMs;
  for (;;) {
    const reply = await ask(text);
    if (reply.kind !== 'answer' || isExpected(reply.text)) return reply;
    const task = ObjectView.of(reply.text)?.object('result');
    if (task === undefined || OVER.has(task.string('status'))) return reply;
    const pauseMs = Math.max(MIN_PAUSE_MS, Math.min(task.number('pollInterval') ?? 0, MAX_PAUSE_MS));
    if (nowMs() + pauseMs >= endMs) return reply;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The recorded responses to this poll and later polls of the same task, which may have progressed further by now. */
export function laterPolls({ steps }: RecordedDialogue, { index, text, method }: ClientStep): readonly JsonText[] {
  const task = taskIn(text);
  return steps
    .slice(index)
    .filter((step) => step.method === method && taskIn(step.text) === task)
    .flatMap(({ answer }) => answer?.text ?? []);
}

function taskIn(text: JsonText): string | undefined {
  return ObjectView.of(text)?.object('params')?.string('taskId');
}
