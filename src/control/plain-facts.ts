import type { Decision, HeldMessage, ReleaseCause } from '../intercept/held-message.ts';
import type { HoldState, LiveSessionFacts } from './session-control.ts';

/** What goes over the socket is these members and no others, whatever else the objects of a session hold. */

export function plainFacts({
  id,
  label,
  pid,
  startedAtMs,
  transport,
  trace,
  folder,
}: LiveSessionFacts): LiveSessionFacts {
  return { id, label, pid, startedAtMs, transport, trace, folder };
}

export function plainState({ mode, filter, holdTimeoutMs, failClosed }: HoldState): HoldState {
  return { mode, filter, holdTimeoutMs, failClosed };
}

export function plainHeld(held: HeldMessage): HeldMessage {
  const { id, direction, conversation, exchange, atMs, untilMs, rule, text, changedText } = held;
  return { id, direction, conversation, exchange, atMs, untilMs, rule, text, changedText };
}

export function plainRelease({ id, decision, by, heldMs }: ReleaseCause): ReleaseCause {
  return { id, decision: plainDecision(decision), by, heldMs };
}

function plainDecision(decision: Decision): Decision {
  const { action } = decision;
  return action === 'edit' || action === 'answer' ? { action, text: decision.text } : { action };
}
