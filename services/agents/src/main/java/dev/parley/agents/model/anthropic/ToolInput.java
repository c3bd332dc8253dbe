package dev.parley.agents.model.anthropic;

import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.VerbatimJson;

/** Arguments of tool calls: the API accepts only objects. */
final class ToolInput {
    private ToolInput() {}

    /** The arguments unchanged if they are an object, else an object that contains them as text. */
    static String of(String arguments) {
        return VerbatimJson.isObject(arguments) ? arguments : JsonOut.object(o -> o.put("_invalid", arguments));
    }
}
