// The AI SDK: an answer, whole and as a stream.
import assert from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';

const [url, apiKey] = process.argv.slice(2);
const model = createOpenAICompatible({ name: 'parley', baseURL: `${url}/v1`, apiKey })('default');
assert.equal((await generateText({ model, prompt: '!say hello there' })).text, 'hello there');
assert.equal(await streamText({ model, prompt: '!say hello again' }).text, 'hello again');
