/** The panels of the screen that can have the focus. */
export type ScreenPanel = 'sessions' | 'list' | 'detail';
