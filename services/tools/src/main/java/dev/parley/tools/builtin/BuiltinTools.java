package dev.parley.tools.builtin;

import dev.parley.platform.definitions.Catalogue;
import dev.parley.platform.embedding.HybridSearch;
import dev.parley.tools.Tool;
import java.time.Clock;
import java.util.List;

/** The tools that come with Parley. */
public final class BuiltinTools {
    private BuiltinTools() {}

    /** Those that need nothing. */
    public static List<Tool> all() {
        return all(Clock.systemUTC());
    }

    /** Those that need nothing but this idea of what time it is. */
    public static List<Tool> all(Clock clock) {
        return List.of(new EchoTool(), new TimeTool(clock), new SendFileTool());
    }

    /** The one that finds others. */
    public static Tool search(Catalogue catalogue, HybridSearch search) {
        return new ToolSearchTool(catalogue, search);
    }
}
