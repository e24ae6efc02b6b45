/** The path of a file that one of their packages brings along. */
export function peer(path: string): string;

/** A newer Node than mcpreel itself needs. */
export const peerNode: string;

/** Installs them unless they are there. Throws an error whose message says why they cannot be had. */
export function installPeers(): Promise<void>;
