import { Box, type DOMElement } from 'ink';
import { type Context, createContext, type ReactNode, useContext, useLayoutEffect, useRef } from 'react';
import { Canvas } from './canvas.ts';

/** What rows are put on. */
export const CanvasContext: Context<Canvas> = createContext(new Canvas());

export interface RowsProps {
  /** Each exactly as wide as it says. */
  readonly rows: readonly string[];
  readonly width: number;
}

/** Rows that are laid out already, in a box for which Ink finds the place. */
export function Rows({ rows, width }: RowsProps): ReactNode {
  const canvas = useContext(CanvasContext);
  const box = useRef<DOMElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    canvas.place(element, rows);
    return () => canvas.remove(element);
  }, [canvas, rows]);
  return <Box ref={box} width={width} height={rows.length} flexShrink={0} />;
}
