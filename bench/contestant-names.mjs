/** The names that the results are compared by. */
export const DIRECT = 'direct';
export const PASS_THROUGH = 'pass-through';
export const MCPREEL = 'mcpreel';
