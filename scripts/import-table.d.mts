/** Each folder right under src/ with the folders that it may import. */
export const permissions: readonly (readonly [folder: string, imports: readonly string[]])[];
