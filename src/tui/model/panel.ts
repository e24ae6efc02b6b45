/** Where keys can go on the screen. */
export type Panel = 'sessions' | 'list' | 'detail';
