import { screenContract } from './screen-contract.ts';

screenContract({ title: 'HTTP with SSE', listen: 'sse', target: 'sse', isModern: false });
