package dev.parley.tools.builtin;

import dev.parley.domain.access.TimeZones;
import dev.parley.platform.definitions.DefinitionCatalogue;
import dev.parley.platform.embedding.HybridSearch;
import dev.parley.tools.Tool;
import java.time.Clock;
import java.util.List;

/** The tools that come with Parley. */
public final class BuiltinTools {
    private BuiltinTools() {}

    /**
     * The tools without dependencies.
     *
     * @param clock for the tool {@code time}
     * @param zones time zones of users, for the same tool
     */
    public static List<Tool> all(Clock clock, TimeZones zones) {
        return List.of(new EchoTool(), new TimeTool(clock, zones), new SendFileTool());
    }

    /** The tool that searches tools and skills. */
    public static Tool search(DefinitionCatalogue catalogue, HybridSearch search) {
        return new ToolSearchTool(catalogue, search);
    }
}
