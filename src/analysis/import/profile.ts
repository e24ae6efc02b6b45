export const PROFILES = ['strict', 'semantic', 'shape'] as const;

/**
 * What counts when two values are compared: `strict` all but JSON-RPC ids; `semantic` all but volatile values, and JSON
 * within a text counts as JSON; `shape` the names of members and the types of their values.
 */
export type Profile = (typeof PROFILES)[number];
