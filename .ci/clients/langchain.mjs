// LangChain's model of OpenAI: an answer, a stream, and a call of a function of the client.
import assert from 'node:assert/strict';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';

const [url, apiKey] = process.argv.slice(2);
for (const useResponsesApi of [false, true]) {
    const model = new ChatOpenAI({ model: 'default', apiKey, useResponsesApi, configuration: { baseURL: `${url}/v1` } });
    assert.equal((await model.invoke('!say hello there')).text, 'hello there');
    let text = '';
    for await (const chunk of await model.stream('!say hello again')) {
        text += chunk.text;
    }
    assert.equal(text, 'hello again');

    const weather = tool(({ city }) => `sunny in ${city}`, {
        name: 'client_weather',
        description: 'The weather of a city.',
        schema: z.object({ city: z.string() }),
    });
    const asked = new HumanMessage('!call client_weather {"city":"Bern"}\n!then\n!say it is sunny');
    const call = await model.bindTools([weather]).invoke([asked]);
    assert.equal(call.tool_calls[0].name, 'client_weather');
    assert.deepEqual(call.tool_calls[0].args, { city: 'Bern' });
    const result = new ToolMessage({ tool_call_id: call.tool_calls[0].id, content: await weather.invoke({ city: 'Bern' }) });
    assert.equal((await model.bindTools([weather]).invoke([asked, call, result])).text, 'it is sunny');
}
