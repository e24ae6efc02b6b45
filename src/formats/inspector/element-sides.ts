import type { ObjectView } from '../../json/object-view.ts';
import { type Direction, type Envelope, opposite } from '../../model/entry.ts';
import { idKey } from '../../protocol/envelope.ts';
import { usualSender } from '../../protocol/methods.ts';

/** The properties of a protocol export's element that determine its direction. */
export interface SidedElement {
  /** The index in the export. */
  readonly index: number;
  readonly envelope: Envelope;
  /** The direction, if the element states it. */
  readonly stated: Direction | undefined;
  /** Whether the element includes a response. */
  readonly isFolded: boolean;
  /** Returns the result in the included response. */
  result(): ObjectView | undefined;
}

/** The open requests with one id and no included response. Per side, the member that identifies their results. */
type UnfoldedElement = Partial<Record<Direction, string>>;

/**
 * Determines the direction of each element, in the order of the export. Without a stated direction, an element has its
 * method's usual sender. A `ping` is the server's if a client request with that id has no response yet. A separate
 * response answers the server's request with its id first.
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

  /** Returns the member that identifies results of this side's open request with this id, if there is one. */
  openOf(side: Direction, id: string): string | undefined {
    return this.#unfolded.get(idKey(id))?.[side];
  }
}

function senderOf({ kind, method = '' }: Envelope, unfolded: UnfoldedElement = {}): Direction {
  if (kind === 'request' && method === 'ping' && unfolded.client_to_server !== undefined) return 'server_to_client';
  if (kind === 'request' || kind === 'notification') return usualSender(method);
  return unfolded.server_to_client === undefined ? 'server_to_client' : 'client_to_server';
}

/** An included response that may belong to the other side's request. */
interface UndecidedElement {
  readonly index: number;
  readonly side: Direction;
  /** Whether the result's members fit the other request better. */
  readonly looksStrayed: boolean;
}

/**
 * Finds the responses that are included in the wrong element.
 *
 * Inspector includes a response in the newest request with its id, whichever side sent that request. Suppose that a
 * request is open and the other side sends one with the same id. The first response is then included in the second
 * request, and the second response is separate. The separate response states its sender, and thereby the request that
 * it answers. If that is the request with the included response, the included response belongs to the other request.
 * Without a separate response, the members of the result decide. If they do not, the included response is correct.
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

  /** Returns the indices of the elements whose included response answers the other side's request. */
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

/** A member that identifies the results of a method. */
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

/** Empty for a method whose results have no identifying member. */
function telltaleOf(method = ''): string {
  return TELLTALES.get(method) ?? '';
}

function isRatherOf(rival: string, own: string, result: ObjectView | undefined): boolean {
  if (result === undefined || rival === '' || !result.has(rival)) return false;
  // The result of a sampling request has `content` too.
  if (rival === 'model' && own === 'content') return true;
  return own !== '' && !result.has(own) && !(rival === 'content' && result.has('model'));
}
