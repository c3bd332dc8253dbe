package dev.parley.agents.model.anthropic;

import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.JsonText;

/** The arguments of tool calls: the API takes nothing but objects. */
final class ToolInput {
    private ToolInput() {}

    /** The arguments exactly as they are, or an object that holds them where they are none. */
    static String of(String arguments) {
        return JsonText.isObject(arguments) ? arguments : JsonOut.object(o -> o.put("_invalid", arguments));
    }
}
