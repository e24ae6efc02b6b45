/** Where keys can go on the screen. */
export type ScreenPanel = 'sessions' | 'list' | 'detail';
