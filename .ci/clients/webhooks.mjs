// The library of Standard Webhooks: it verifies what a receiver got, and refuses another body.
import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';

const [secret, headers, body] = process.argv.slice(2);
const webhook = new Webhook(secret);
webhook.verify(body, JSON.parse(headers));
assert.throws(() => webhook.verify(`${body} `, JSON.parse(headers)));
