package dev.parley.tools.builtin;

import dev.parley.tools.Tool;
import java.time.Clock;
import java.util.List;

/** All tools that come with Parley. */
public final class BuiltinTools {
    private BuiltinTools() {}

    /** One of each. */
    public static List<Tool> all() {
        return all(Clock.systemUTC());
    }

    /** One of each, with this idea of what time it is. */
    public static List<Tool> all(Clock clock) {
        return List.of(new EchoTool(), new TimeTool(clock), new SendFileTool());
    }
}
