package dev.parley.platform.definitions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.DefinedTool;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.definition.Disclosed;
import dev.parley.domain.definition.Endpoint;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.definition.Toolset;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Definitions that are visible in a project. */
class ScopedDefinitionsTest {
    private static final Endpoint CRM =
            new Endpoint("crm", "https://crm.example", List.of("GET"), "{}", List.of(), List.of(), List.of());

    private static DefinedTool tool(String name, String version, @Nullable String endpoint) {
        var spec = new ToolSpec(
                name, "x", "{}", ToolEffect.IDEMPOTENT, Duration.ofSeconds(1), null, version, ToolAccess.READ);
        return new DefinedTool(spec, "rest", "{}", null, endpoint);
    }

    private static ScopedDefinitions seen(List<Definition> host, List<Definition> project) {
        return ScopedDefinitions.of(List.of(host, project), (_, _) -> null);
    }

    private static List<String> tools(ScopedDefinitions seen) {
        return seen.tools().stream()
                .map(tool -> tool.name() + "@" + tool.version())
                .toList();
    }

    @Test
    @Tag("A22")
    void toolIsVisibleOnlyWithItsEndpoint() {
        List<Definition> project = List.of(tool("customers", "1", "crm"), tool("weather", "1", null));

        ScopedDefinitions there = seen(List.of(tool("orders", "1", "crm"), CRM), project);
        ScopedDefinitions gone = seen(List.of(tool("orders", "1", "crm")), project);

        assertEquals(List.of("customers@1", "orders@1", "weather@1"), tools(there));
        assertEquals(Optional.of(CRM), there.endpoint("crm"));
        assertEquals(List.of("weather@1"), tools(gone));
        assertEquals(Optional.empty(), gone.definedTool("customers", "1"), "a late call finds nothing");
        assertEquals(Optional.empty(), gone.endpoint("crm"));
    }

    @Test
    void olderVersionReplacesOneWithoutItsEndpoint() {
        ScopedDefinitions seen = seen(List.of(tool("customers", "1", null), tool("customers", "2", "crm")), List.of());

        assertEquals(List.of("customers@1"), tools(seen));
    }

    @Test
    void cachesTheToolsetOfAnAgent() {
        Agent agent = Agent.of("default", "scripted", "m", "");
        ScopedDefinitions seen = seen(List.of(tool("customers", "1", null)), List.of());
        Toolset tools = seen.toolset(agent, Disclosed.NONE);

        assertSame(tools, seen.toolset(Agent.of("default", "scripted", "m", ""), Disclosed.NONE));
        assertTrue(tools.specs().contains(seen.tools().getFirst()));
        assertNotSame(tools, seen.toolset(agent, new Disclosed(List.of(), List.of("customers"))));
        assertNotSame(tools, seen.toolset(Agent.of("default", "scripted", "m", "More."), Disclosed.NONE));
    }
}
