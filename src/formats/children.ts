import { type Child, ChildScanner, type ContainerFault } from '../json/child-scanner.ts';
import { CUT_DOCUMENT } from './cut-off.ts';
import type { Source } from './format.ts';

/** The children of a JSON array that stands in `[start, end)` of a source, in batches. */
export async function* elementsIn(
  source: Source,
  start: number,
  end: number,
  onFault: (fault: ContainerFault | undefined) => void,
): AsyncGenerator<readonly Child[]> {
  const scanner = new ChildScanner();
  for await (const chunk of source.read(start, end)) {
    const children = scanner.push(chunk);
    if (children.length > 0) yield start === 0 ? children : children.map((child) => movedBy(start, child));
    if (scanner.fault !== undefined) break;
  }
  const { fault, complete } = scanner;
  if (fault !== undefined || !complete) onFault(fault && { ...fault, offset: fault.offset + start });
}

function movedBy(offset: number, child: Child): Child {
  return { ...child, start: child.start + offset, end: child.end + offset };
}

/** Where a member of the document's top-level object stands, and its text if it was wanted. */
export interface TopLevelMember {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array | undefined;
}

export interface TopLevel {
  readonly container: '{' | '[' | undefined;
  readonly members: ReadonlyMap<string, TopLevelMember>;
  /** What keeps the document from being whole, if anything does. */
  readonly fault: string | undefined;
}

/** Looks over a document once: what its top-level object holds, and where. A cut-off last member ends with the file. */
export async function scanTopLevel(source: Source, wants: (key: string) => boolean): Promise<TopLevel> {
  const members = new Map<string, TopLevelMember>();
  const scanner = new ChildScanner({ wants: (key) => key !== undefined && wants(key) });
  for await (const chunk of source.read(0, source.size)) {
    for (const child of scanner.push(chunk)) if (child.key !== undefined) members.set(child.key, child);
    if (scanner.fault !== undefined || scanner.container === '[') break;
  }
  const cut = scanner.unfinished;
  if (cut?.key !== undefined) members.set(cut.key, { start: cut.start, end: source.size, bytes: undefined });
  // Of an array no more is read than it takes to see that it is one.
  const fault = scanner.container === '[' ? undefined : describeFault(scanner);
  return { container: scanner.container, members, fault };
}

function describeFault(scanner: ChildScanner): string | undefined {
  if (scanner.fault !== undefined) return `${scanner.fault.what} at byte ${scanner.fault.offset}`;
  return scanner.complete ? undefined : CUT_DOCUMENT;
}
