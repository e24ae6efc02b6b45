import { Box, type DOMElement } from 'ink';
import { type Context, createContext, type ReactNode, useContext, useLayoutEffect, useRef } from 'react';
import { Canvas } from './canvas.ts';

/** The canvas that rows are drawn on. */
export const CanvasContext: Context<Canvas> = createContext(new Canvas());

export interface RowsProps {
  /** Each is exactly `width` cells wide. */
  readonly rows: readonly string[];
  readonly width: number;
}

/** Draws finished rows in a box that Ink positions. */
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
