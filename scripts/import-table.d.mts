/** The folders without side effects, which also run in browsers. */
export const pure: readonly string[];

/** Each folder right under src/ with the folders that it may import. */
export const permissions: readonly (readonly [folder: string, imports: readonly string[]])[];
