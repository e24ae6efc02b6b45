import type { ObjectView } from '../../json/object-view.ts';
import { type Direction, type Envelope, opposite } from '../../model/entry.ts';
import { idKey } from '../../protocol/envelope.ts';
import { usualSender } from '../../protocol/methods.ts';

/** What telling the sides apart needs to know of an element of a protocol export. */
export interface SidedElement {
  /** Its index in the export. */
  readonly index: number;
  readonly envelope: Envelope;
  /** Who sent it, where the element says so. */
  readonly stated: Direction | undefined;
  /** Whether an answer is folded into it. */
  readonly isFolded: boolean;
  /** The result that is folded into it. */
  result(): ObjectView | undefined;
}

/** The open requests of one id into which nothing is folded: what tells a result of theirs, per side. */
type UnfoldedElement = Partial<Record<Direction, string>>;

/**
 * Tells who sent each element, in the order of the export. One that does not say has the usual sender of its method; a
 * `ping` is the server's where a request of the client's with that id has no answer yet; an answer that stands alone
 * answers the server's request with its id first.
 */
export class ElementSides {
  readonly #unfolded = new Map<string | number, UnfoldedElement>();

  take({ envelope, stated, isFolded }: SidedElement): Direction {
    const key = envelope.id === undefined ? undefined : idKey(envelope.id);
    const unfolded = key === undefined ? undefined : this.#unfolded.get(key);
    const direction = stated ?? senderOf(envelope, unfolded);
    if (key === undefined) return direction;
    if (envelope.kind === 'request' && !isFolded) {
      this.#unfolded.set(key, { ...unfolded, [direction]: telltaleOf(envelope.method) });
    } else if (envelope.kind === 'response' && unfolded !== undefined) {
      const { [opposite(direction)]: _answered, ...rest } = unfolded;
      if (Object.keys(rest).length > 0) this.#unfolded.set(key, rest);
      else this.#unfolded.delete(key);
    }
    return direction;
  }

  /** What tells a result of the request with this id that this side has open, if it has one. */
  openOf(side: Direction, id: string): string | undefined {
    return this.#unfolded.get(idKey(id))?.[side];
  }
}

function senderOf({ kind, method = '' }: Envelope, unfolded: UnfoldedElement = {}): Direction {
  if (kind === 'request' && method === 'ping' && unfolded.client_to_server !== undefined) return 'server_to_client';
  if (kind === 'request' || kind === 'notification') return usualSender(method);
  return unfolded.server_to_client === undefined ? 'server_to_client' : 'client_to_server';
}

/** A folded answer that may belong to the other side's request. */
interface UndecidedElement {
  readonly index: number;
  readonly side: Direction;
  /** What the result itself says: whether it is rather one of the other request. */
  readonly looksStrayed: boolean;
}

/**
 * Finds the answers that are folded into the wrong element.
 *
 * Inspector folds an answer into the newest request with its id, whichever side sent that. So where a request is open
 * and the other side sends one with the same id, the first answer is folded into the second request and the second
 * answer stands alone. The one that stands alone says who sent it, and so which request it answers: if that is the
 * folded one, the folded answer is the other request's. Where none stands alone, the result's own members decide, and
 * where these do not, the fold is right.
 */
export class StrayFolds {
  readonly #sides = new ElementSides();
  readonly #doubtful = new Map<string | number, UndecidedElement>();
  readonly #strayed = new Set<number>();

  take(element: SidedElement): void {
    const direction = this.#sides.take(element);
    const { envelope, index, stated, isFolded } = element;
    if (envelope.id === undefined) return;
    const key = idKey(envelope.id);
    if (envelope.kind === 'request') {
      this.#settle(key);
      const rival = isFolded ? this.#sides.openOf(opposite(direction), envelope.id) : undefined;
      if (rival === undefined) return;
      const looksStrayed = isRatherOf(rival, telltaleOf(envelope.method), element.result());
      this.#doubtful.set(key, { index, side: direction, looksStrayed });
    } else if (envelope.kind === 'response' && stated !== undefined) {
      const doubtful = this.#doubtful.get(key);
      if (doubtful === undefined) return;
      this.#doubtful.delete(key);
      if (opposite(stated) === doubtful.side) this.#strayed.add(doubtful.index);
    }
  }

  /** The indices of the elements whose folded answer is the answer to the other side's request. */
  finish(): ReadonlySet<number> {
    for (const key of [...this.#doubtful.keys()]) this.#settle(key);
    return this.#strayed;
  }

  #settle(key: string | number): void {
    const doubtful = this.#doubtful.get(key);
    this.#doubtful.delete(key);
    if (doubtful?.looksStrayed) this.#strayed.add(doubtful.index);
  }
}

/** A member that results of a method have. */
const TELLTALES: ReadonlyMap<string, string> = new Map([
  ['initialize', 'protocolVersion'],
  ['tools/list', 'tools'],
  ['tools/call', 'content'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['resources/read', 'contents'],
  ['prompts/list', 'prompts'],
  ['prompts/get', 'messages'],
  ['completion/complete', 'completion'],
  ['sampling/createMessage', 'model'],
  ['elicitation/create', 'action'],
  ['roots/list', 'roots'],
]);

/** Empty for a method whose results have no member that tells. */
function telltaleOf(method = ''): string {
  return TELLTALES.get(method) ?? '';
}

function isRatherOf(rival: string, own: string, result: ObjectView | undefined): boolean {
  if (result === undefined || rival === '' || !result.has(rival)) return false;
  // A sampled message has `content` too.
  if (rival === 'model' && own === 'content') return true;
  return own !== '' && !result.has(own) && !(rival === 'content' && result.has('model'));
}
