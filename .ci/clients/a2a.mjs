// The client of the A2A SDK: the card, a message, whole and as a stream.
import assert from 'node:assert/strict';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';

const [url, key] = process.argv.slice(2);
const fetchImpl = (input, init = {}) => {
    const headers = new Headers(init.headers ?? input.headers);
    headers.set('Authorization', `Bearer ${key}`);
    return fetch(input, { ...init, headers });
};
for (const Transport of [JsonRpcTransportFactory, RestTransportFactory]) {
    const factory = new ClientFactory({
        transports: [new Transport({ fetchImpl })],
        cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    });
    const client = await factory.createFromUrl(`${url}/a2a/default/default/`);
    const message = { messageId: crypto.randomUUID(), role: 1, parts: [{ content: { $case: 'text', value: '!say hello there' } }] };
    assert(JSON.stringify(await client.sendMessage({ message })).includes('hello there'));
    let streamed = '';
    for await (const event of client.sendMessageStream({ message: { ...message, messageId: crypto.randomUUID() } })) {
        streamed += JSON.stringify(event);
    }
    assert(streamed.includes('hello there'), streamed);
}
