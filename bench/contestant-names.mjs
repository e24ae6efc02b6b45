/** The names by which results are compared. */
export const DIRECT = 'direct';
export const PASS_THROUGH = 'pass-through';
export const MCPREEL = 'mcpreel';
