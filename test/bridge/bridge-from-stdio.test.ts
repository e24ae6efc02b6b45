import { bridgeContract } from './bridge-contract.ts';

bridgeContract('stdio', 'stdio');
bridgeContract('stdio', 'sse');
bridgeContract('stdio', 'streamable-http');
