import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualRowsProps {
  readonly count: number;
  readonly rowHeight: number;
  /** The row to scroll to, and a value whose change triggers that again. */
  readonly reveal?: { readonly row: number | undefined; readonly when: unknown } | undefined;
  /** Whether to keep scrolling to the last row as rows arrive. */
  readonly follows?: boolean | undefined;
  readonly label: string;
  /** The ARIA role of the list when it is part of a table. */
  readonly listRole?: 'rowgroup' | undefined;
  readonly onLeaveEnd?: ((isAtEnd: boolean) => void) | undefined;
  /** Renders a list item of the given height, or a row of a table. */
  row(index: number): ComponentChildren;
  /** Receives the first visible row and the one after the last. */
  onRange?(from: number, to: number): void;
}

/** Browsers draw nothing beyond some tens of millions of pixels, so longer lists scroll faster. */
const TALLEST_PX = 8_000_000;
/** Extra rows beyond the edges, so that scrolling shows no blanks. */
const BEYOND = 12;

/** A list of rows with equal height that renders only the visible ones. */
export function VirtualRows(props: VirtualRowsProps): JSX.Element {
  const { count, rowHeight, reveal, follows, label, listRole, row, onRange, onLeaveEnd } = props;
  const box = useRef<HTMLDivElement>(null);
  /** Where the list scrolled by itself. The event comes later, and must not count as the user's. */
  const ownTop = useRef<number>(undefined);
  const [view, setView] = useState({ top: 0, height: 600 });
  const fullPx = count * rowHeight;
  const tallPx = Math.min(fullPx, TALLEST_PX);
  const scale = tallPx > view.height ? (fullPx - view.height) / Math.max(1, tallPx - view.height) : 1;
  const topPx = Math.max(0, Math.min(view.top * scale, fullPx - view.height));
  const from = Math.max(0, Math.floor(topPx / rowHeight) - BEYOND);
  const to = Math.min(count, Math.ceil((topPx + view.height) / rowHeight) + BEYOND);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => onRange?.(from, to), [from, to, count]);

  const scrollTo = (element: HTMLDivElement, top: number): void => {
    const before = element.scrollTop;
    element.scrollTop = top;
    if (element.scrollTop !== before) ownTop.current = element.scrollTop;
  };

  useLayoutEffect(() => {
    const element = box.current;
    const requested = reveal?.row;
    if (element === null || requested === undefined) return;
    const place = requested * rowHeight;
    if (place < topPx) scrollTo(element, place / scale);
    else if (place + rowHeight > topPx + view.height) scrollTo(element, (place + rowHeight - view.height) / scale);
  }, [reveal?.row, reveal?.when, view.height]);

  useLayoutEffect(() => {
    if (follows && box.current !== null) scrollTo(box.current, tallPx);
  }, [follows, count]);

  const onScroll = (): void => {
    const element = box.current;
    if (element === null) return;
    setView({ top: element.scrollTop, height: element.clientHeight });
    const isOwn = element.scrollTop === ownTop.current;
    ownTop.current = undefined;
    if (!isOwn) onLeaveEnd?.(element.scrollTop + element.clientHeight >= tallPx - rowHeight);
  };

  // The rows of a table are not list items.
  const List = listRole === undefined ? 'ul' : 'div';
  return (
    <div class="virtual" ref={box} onScroll={onScroll} tabIndex={0} role={listRole}>
      <div class="virtual-sizer" style={{ height: `${tallPx}px` }}>
        <List
          class="virtual-window"
          aria-label={listRole === undefined ? label : undefined}
          style={{
            transform: `translateY(${view.top * (tallPx > view.height ? 1 : 0) - (topPx - from * rowHeight)}px)`,
          }}
        >
          {Array.from({ length: Math.max(0, to - from) }, (_, n) => row(from + n))}
        </List>
      </div>
    </div>
  );
}
