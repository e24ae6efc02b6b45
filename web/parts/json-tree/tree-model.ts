import { documentSpan } from '../../../src/json/scan.ts';
import { JsonNode } from './json-node.ts';
import { JsonSource } from './json-source.ts';
import { factsOf, type NodeFacts } from './node-facts.ts';
import { findIn, type WayTo } from './tree-search.ts';

/** A line of the tree: a node, or a placeholder for children that are not shown yet. */
export type TreeRow =
  | {
      readonly kind: 'node';
      readonly id: string;
      readonly level: number;
      readonly node: JsonNode;
      readonly facts: NodeFacts;
      readonly isOpen: boolean;
      /** The position among its siblings, from 1, and their number. */
      readonly place: number;
      readonly siblings: number;
    }
  | {
      readonly kind: 'more';
      readonly id: string;
      readonly level: number;
      readonly parent: string;
      readonly from: number;
      readonly to: number;
    };

/** The number of children shown per page. */
const PAGE = 100;
/** A browser is slow with more than a few thousand lines. */
const MAX_ROWS = 2000;
/** The approximate number of lines that are open at first. */
const FIRST_LINES = 60;
const FIRST_LEVELS = 8;
/** Deeper levels are visible only in the raw text. */
const DEEPEST = 400;
/** The lines that an open text or image may take. */
const PART_LINES = 6;

/** A JSON text as a tree. It reads only the open nodes, whatever the size and depth of the text. */
export class TreeModel {
  readonly source: JsonSource;
  readonly #root: JsonNode;
  readonly #showsContent: boolean;
  readonly #open = new Set<string>();
  readonly #pages = new Map<string, Set<number>>();
  readonly #facts = new Map<string, NodeFacts>();
  /** Whether the last call of `rows` had to cut lines. */
  isCut = false;

  private constructor(text: string, root: { start: number; end: number }, showsContent: boolean) {
    this.source = new JsonSource(text);
    this.#root = new JsonNode(this.source, undefined, undefined, root);
    this.#showsContent = showsContent;
    this.#openFirst();
  }

  /** The tree of a text, if the text is JSON. */
  static of(text: string, showsContent: boolean): TreeModel | undefined {
    const span = documentSpan(text);
    return span && new TreeModel(text, span, showsContent);
  }

  /** All lines, in order. */
  rows(): TreeRow[] {
    const rows: TreeRow[] = [];
    let isTooDeep = false;
    // No recursion, because the author of the text controls its depth.
    const pending: Iterator<TreeRow>[] = [
      this.#isRow(this.#root) ? [this.#row(this.#root, 0, 1)].values() : this.#under(this.#root),
    ];
    while (pending.length > 0 && rows.length < MAX_ROWS) {
      const next = pending.at(-1)?.next();
      if (next === undefined || next.done) {
        pending.pop();
        continue;
      }
      rows.push(next.value);
      if (next.value.kind !== 'node' || !next.value.isOpen) continue;
      if (next.value.level < DEEPEST) pending.push(this.#under(next.value.node));
      else isTooDeep = true;
    }
    this.isCut = isTooDeep || pending.length > 0;
    return rows;
  }

  toggle(id: string, isOpen: boolean): void {
    if (isOpen) this.#open.add(id);
    else this.#open.delete(id);
  }

  /** Shows the page of a node's children that contains this index. */
  showPage(parent: string, index: number): void {
    const pages = this.#pages.get(parent) ?? new Set([0]);
    pages.add(Math.floor(index / PAGE));
    this.#pages.set(parent, pages);
  }

  find(words: string): WayTo[] {
    return findIn(this.source, words);
  }

  /** Opens all ancestors of a node. Returns the id of its line. */
  reveal(way: WayTo): string | undefined {
    for (let at = way.up; at !== undefined; at = at.up) this.#open.add(at.id);
    for (let at: WayTo | undefined = way; at !== undefined; at = at.up) {
      if (at.up !== undefined) this.showPage(at.up.id, at.index);
    }
    const shown = new Set(this.rows().map(({ id }) => id));
    // The members of a content block have no lines of their own.
    for (let at: WayTo | undefined = way; at !== undefined; at = at.up) if (shown.has(at.id)) return at.id;
    return undefined;
  }

  #factsOf(node: JsonNode): NodeFacts {
    const known = this.#facts.get(node.id);
    if (known !== undefined) return known;
    const facts = factsOf(node, this.#showsContent);
    this.#facts.set(node.id, facts);
    return facts;
  }

  /** The root container has no line; its children are not indented. */
  #isRow(root: JsonNode): boolean {
    const { children, parts, note } = this.#factsOf(root);
    return children.length === 0 || parts.length > 0 || note !== undefined;
  }

  #row(node: JsonNode, index: number, siblings: number): TreeRow {
    const { id, level } = node;
    const facts = this.#factsOf(node);
    const isOpen = facts.canOpen && this.#open.has(id);
    return { kind: 'node', id, level, node, facts, isOpen, place: index + 1, siblings };
  }

  *#under(parent: JsonNode): Generator<TreeRow> {
    const { children } = this.#factsOf(parent);
    const pages = this.#pages.get(parent.id) ?? FIRST_PAGE;
    const level = parent.level + 1;
    for (let from = 0; from < children.length; ) {
      if (!pages.has(from / PAGE)) {
        let to = from;
        while (to < children.length && !pages.has(to / PAGE)) to += PAGE;
        to = Math.min(to, children.length);
        yield { kind: 'more', id: `${parent.id}+${from}`, level, parent: parent.id, from, to };
        from = Math.ceil(to / PAGE) * PAGE;
        continue;
      }
      const to = Math.min(from + PAGE, children.length);
      for (let index = from; index < to; index++) {
        const node = children.at(index);
        if (node !== undefined) yield this.#row(node, index, children.length);
      }
      from += PAGE;
    }
  }

  /** Opens level by level as long as there is room. */
  #openFirst(): void {
    let room = FIRST_LINES - Math.min(PAGE, this.#factsOf(this.#root).children.length);
    let level: JsonNode[] = [this.#root];
    this.#open.add(this.#root.id);
    for (let depth = 0; depth < FIRST_LEVELS && level.length > 0; depth++) {
      const next: JsonNode[] = [];
      for (const parent of level) {
        const closed = this.#closedUnder(parent);
        const all = closed.reduce((sum, { lines }) => sum + lines, 0);
        for (const { node, lines, hasParts } of closed) {
          // Siblings are opened all or none, except nodes with content, which the user wants to see.
          if (lines > room || (all > room && !hasParts)) continue;
          this.#open.add(node.id);
          next.push(node);
          room -= lines;
        }
      }
      level = next;
    }
  }

  /** The nodes that can be opened directly under a node, and the lines that each would take. */
  #closedUnder(parent: JsonNode): { node: JsonNode; lines: number; hasParts: boolean }[] {
    const { children } = this.#factsOf(parent);
    return Array.from({ length: Math.min(PAGE, children.length) }, (_, index) => children.at(index)).flatMap((node) => {
      const facts = node && this.#factsOf(node);
      if (node === undefined || facts === undefined || !facts.canOpen || this.#open.has(node.id)) return [];
      const lines = Math.min(PAGE, facts.children.length) + facts.parts.length * PART_LINES;
      return [{ node, lines, hasParts: facts.parts.length > 0 || facts.note !== undefined }];
    });
  }
}

const FIRST_PAGE: ReadonlySet<number> = new Set([0]);
