// The page of the customer's bank: one button passes the challenge, the other fails it. Both lead back to the shop.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { completeChallenge, type Ledger } from './payments.ts';

export function serveChallenge(ledger: Ledger, path: string, message: IncomingMessage, response: ServerResponse): void {
  message.resume();
  const [, , id = '', token = '', answer] = path.split('/');
  const intent = ledger.books.intents.get(id);
  if (intent === undefined || intent.challenge?.token !== token) {
    response.writeHead(404).end('This challenge has ended.');
  } else if (message.method === 'POST' && (answer === 'pass' || answer === 'fail')) {
    response.writeHead(303, { location: completeChallenge(ledger, intent, answer === 'pass') }).end();
  } else {
    const button = (value: string, label: string) =>
      `<form method="post" action="/challenges/${id}/${token}/${value}"><button>${label}</button></form>`;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<!doctype html><title>Simulated bank</title>${button('pass', 'Complete authentication')}${button('fail', 'Fail authentication')}`,
    );
  }
}
