import { constants } from 'node:os';
import { Command } from 'commander';
import { type ControlClient, type ControlListener, connectLive } from '../../../control/control-client.ts';
import { MAX_REQUEST_BYTES } from '../../../control/control-protocol.ts';
import { ReelError } from '../../../model/errors.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { RunningSession } from '../../../state/live-sessions.ts';
import { BoundedLines } from '../../../transport/bounded-lines.ts';
import { endsWithin } from '../../../transport/time-limit.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { EXIT } from '../../exit-codes.ts';
import { filterOfFlag } from '../../flags/filter-flag.ts';
import { endSignal } from '../../terminal/signal-listener.ts';
import { allRunning } from '../sessions/sessions-lookup.ts';
import { endedLine, heldLine, releasedLine, stateLine } from './hold-lines.ts';
import { HoldPrinter } from './hold-printer.ts';
import { HoldRun } from './hold-run.ts';
import { HoldWaiting } from './hold-waiting.ts';

interface HoldFlags {
  readonly filter?: string;
  readonly strict?: boolean;
}

/** How long to wait for the session to restore its mode and filter. */
const GIVE_BACK_MS = 1000;

export function holdCommand(context: CommandEnvironment): Command {
  return new Command('hold')
    .description('hold messages of a running session and decide on them in a script')
    .argument('[session]', 'first characters of a session id (default: the only running session)')
    .option('--filter <filter>', 'hold only matching messages, like "tool:search dir:>"')
    .option('--strict', 'exit 1 at the first invalid line')
    .addHelpText(
      'after',
      `
Held messages are printed as JSON Lines. Write decisions to standard input:
  {"id":"…","action":"forward"}                    also "drop"
  {"id":"…","action":"edit","message":{…}}         or "text":"…" in place of "message"
  {"id":"…","action":"answer","result":{…}}        or "error":{"code":-32000,"message":"…"}
  {"action":"inject","direction":"client_to_server","message":{…}}
  {"action":"mode","mode":"passthrough"}           or "intercept", with a "filter"
  {"action":"save","path":"session.json"}
The id is optional while only one message is held. A text that is not a JSON object
needs "confirm":true. At the end of input, the previous mode is restored.`,
    )
    .addHelpText('after', examples(['mcpreel hold --filter tool:search', 'mcpreel hold 37ae < decisions.jsonl']))
    .action((reference: string | undefined, flags: HoldFlags) => context.execute(runHold(reference, flags, context)));
}

async function runHold(reference: string | undefined, flags: HoldFlags, context: CommandEnvironment): Promise<number> {
  if (flags.filter !== undefined) await filterOfFlag('--filter', flags.filter);
  const session = await runningSession(reference, context);
  const printer = new HoldPrinter(context.direct);
  const waiting = new HoldWaiting();
  const client: ControlClient = await connectLive(session, {
    listener: listenerFor(printer, waiting, () => client.facts),
  });
  const ended = endSignal();
  const interrupted = ended.came.then((signal) => 128 + constants.signals[signal]);
  const run = new HoldRun(client, waiting, printer);
  const work = async (): Promise<undefined> => {
    await run.begin(flags.filter);
    printer.begin(stateLine(client.facts, client.state));
    await readOrders(context, run);
    await run.settled();
  };
  let status: number | undefined;
  try {
    const over = client.over.then((ending) => {
      if (ending instanceof ReelError) throw ending;
      if (ending === 'ended') printer.print(endedLine(client.facts));
      return undefined;
    });
    const strictly = flags.strict ? [run.refused] : [];
    status = await Promise.race([over, interrupted, printer.broken, ...strictly, work()]);
  } finally {
    await endsWithin(Promise.race([run.giveBack().catch(() => undefined), client.over]), GIVE_BACK_MS);
    client.close();
    await printer.flushed().catch(() => undefined);
    ended.stop();
  }
  // Flushed last, because a write error would hide any other error.
  await printer.flushed();
  return status ?? EXIT.done;
}

function listenerFor(printer: HoldPrinter, waiting: HoldWaiting, facts: () => ControlClient['facts']): ControlListener {
  return {
    onHeld: (held) => {
      waiting.add(held);
      printer.print(heldLine(held));
    },
    onReleased: (release) => {
      waiting.remove(release.id);
      printer.print(releasedLine(release));
    },
    onState: (state) => printer.hasBegun && printer.print(stateLine(facts(), state)),
  };
}

async function readOrders({ stdin }: CommandEnvironment, run: HoldRun): Promise<void> {
  const lines = new BoundedLines(MAX_REQUEST_BYTES);
  const take = (line: ReturnType<BoundedLines['push']>[number]): void => {
    if ('text' in line) run.take(line.text);
    else run.refuse('sha256' in line ? `it is longer than ${MAX_REQUEST_BYTES} bytes` : 'it is not UTF-8');
  };
  for await (const chunk of stdin) for (const line of lines.push(chunk as Uint8Array)) take(line);
  for (const line of lines.end()) take(line);
}

/** The running session whose id starts with the prefix, or the only running one. */
async function runningSession(
  idPrefix: string | undefined,
  context: Pick<CommandEnvironment, 'stateFolder' | 'kill'>,
): Promise<RunningSession> {
  const known = await allRunning(context);
  // A conversation with its own trace has no control socket. It is controlled through its run.
  const steerable = known.filter(({ socket }) => socket !== undefined);
  const candidates = steerable.length > 0 ? steerable : known;
  const requested = idPrefix?.toLowerCase() ?? '';
  const [session, ...others] = candidates.filter(({ id }) => id.toLowerCase().startsWith(requested));
  if (session !== undefined && others.length === 0) return session;
  if (session !== undefined) {
    const which = idPrefix === undefined ? '' : ` with an id that starts with ${idPrefix}`;
    throw new ReelError('session-not-found', `${others.length + 1} sessions are running${which}`, {
      hint: `Name one of ${listOf([session, ...others])}.`,
    });
  }
  if (candidates.length === 0) {
    const which = idPrefix === undefined ? '' : ` with an id that starts with ${idPrefix}`;
    throw new ReelError('session-not-found', `No session is running${which}`, {
      hint: 'Start one: mcpreel -- <server command…>',
    });
  }
  throw new ReelError('session-not-found', `No session is running with an id that starts with ${idPrefix}`, {
    hint: `Running: ${listOf(candidates)}.`,
  });
}

const DIGITS = 8;
const MAX_LISTED = 10;

function listOf(sessions: readonly RunningSession[]): string {
  const named = sessions.slice(0, MAX_LISTED).map(({ id, label }) => `${id.slice(0, DIGITS)} (${oneLine(label)})`);
  return [...named, ...(sessions.length > MAX_LISTED ? ['…'] : [])].join(', ');
}
