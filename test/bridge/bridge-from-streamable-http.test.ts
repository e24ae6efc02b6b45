import { bridgeContract } from './bridge-contract.ts';

bridgeContract('streamable-http', 'stdio');
bridgeContract('streamable-http', 'sse');
bridgeContract('streamable-http', 'streamable-http');
