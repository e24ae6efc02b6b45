import { bridgeContract } from './bridge-contract.ts';

bridgeContract('sse', 'stdio');
bridgeContract('sse', 'sse');
bridgeContract('sse', 'streamable-http');
