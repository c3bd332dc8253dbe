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

    private static ScopedDefinitions scoped(List<Definition> host, List<Definition> project) {
        return ScopedDefinitions.of(List.of(host, project), (_, _) -> null);
    }

    private static List<String> tools(ScopedDefinitions definitions) {
        return definitions.tools().stream()
                .map(tool -> tool.name() + "@" + tool.version())
                .toList();
    }

    @Test
    @Tag("A22")
    void toolIsVisibleOnlyWithItsEndpoint() {
        List<Definition> project = List.of(tool("customers", "1", "crm"), tool("weather", "1", null));

        ScopedDefinitions withEndpoint = scoped(List.of(tool("orders", "1", "crm"), CRM), project);
        ScopedDefinitions withoutEndpoint = scoped(List.of(tool("orders", "1", "crm")), project);

        assertEquals(List.of("customers@1", "orders@1", "weather@1"), tools(withEndpoint));
        assertEquals(Optional.of(CRM), withEndpoint.endpoint("crm"));
        assertEquals(List.of("weather@1"), tools(withoutEndpoint));
        assertEquals(Optional.empty(), withoutEndpoint.definedTool("customers", "1"), "a late call finds nothing");
        assertEquals(Optional.empty(), withoutEndpoint.endpoint("crm"));
    }

    @Test
    void olderVersionReplacesOneWithoutItsEndpoint() {
        ScopedDefinitions definitions =
                scoped(List.of(tool("customers", "1", null), tool("customers", "2", "crm")), List.of());

        assertEquals(List.of("customers@1"), tools(definitions));
    }

    @Test
    void cachesTheToolsetOfAnAgent() {
        Agent agent = Agent.of("default", "scripted", "m", "");
        ScopedDefinitions definitions = scoped(List.of(tool("customers", "1", null)), List.of());
        Toolset tools = definitions.toolset(agent, Disclosed.NONE);

        assertSame(tools, definitions.toolset(Agent.of("default", "scripted", "m", ""), Disclosed.NONE));
        assertTrue(tools.specs().contains(definitions.tools().getFirst()));
        assertNotSame(tools, definitions.toolset(agent, new Disclosed(List.of(), List.of("customers"))));
        assertNotSame(tools, definitions.toolset(Agent.of("default", "scripted", "m", "More."), Disclosed.NONE));
    }
}
