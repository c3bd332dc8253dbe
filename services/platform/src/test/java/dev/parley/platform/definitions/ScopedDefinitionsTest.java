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
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.definition.Toolset;
import dev.parley.domain.permission.Decision;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.Permissions;
import dev.parley.domain.permission.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Definitions that are visible in a project. */
class ScopedDefinitionsTest {
    private static final Endpoint CRM =
            new Endpoint("crm", "https://crm.example", List.of("GET"), "{}", List.of(), List.of(), List.of());

    private static final CatalogueScope HOST = new CatalogueScope(new UUID(0, 1), null);
    private static final CatalogueScope PROJECT = new CatalogueScope(new UUID(0, 1), new UUID(0, 2));

    private static DefinedTool tool(String name, String version, @Nullable String endpoint) {
        var spec = new ToolSpec(
                name, "x", "{}", ToolEffect.IDEMPOTENT, Duration.ofSeconds(1), null, version, ToolAccess.READ);
        return new DefinedTool(spec, "rest", "{}", null, endpoint);
    }

    private static ScopedDefinitions scoped(List<Definition> host, List<Definition> project) {
        return ScopedDefinitions.of(List.of(byKey(HOST, host), byKey(PROJECT, project)), (_, _) -> null);
    }

    private static Map<String, Optional<Definition>> byKey(CatalogueScope scope, List<Definition> definitions) {
        return definitions.stream()
                .collect(Collectors.toMap(scope::key, Optional::of, (_, last) -> last, LinkedHashMap::new));
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
    @Tag("B174")
    void nothingTakesThePlaceOfARefusedDefinition() {
        // Given a host with definitions, of which a project has others that this build refuses
        Agent agent = Agent.of("default", "scripted", "m", "");
        Skill skill = new Skill("trips", "1", "x", "", null, List.of(), List.of(), List.of(), null);
        Skill other = new Skill("hotels", "1", "x", "", null, List.of(), List.of(), List.of(), null);
        List<Definition> host =
                List.of(agent, skill, other, tool("weather", "3", null), tool("orders", "1", "crm"), CRM);
        Map<String, Optional<Definition>> project =
                byKey(PROJECT, List.of(tool("weather", "1", null), tool("parcels", "1", null)));
        project.put(PROJECT.key("agent", "default"), Optional.empty());
        project.put(PROJECT.key("tool", "weather@2"), Optional.empty());
        project.put(PROJECT.key("skill", "trips@2"), Optional.empty());
        UUID rule = new UUID(0, 3);
        project.put(PROJECT.key("permission", rule.toString()), Optional.empty());

        // When
        ScopedDefinitions definitions = ScopedDefinitions.of(List.of(byKey(HOST, host), project), (_, _) -> null);

        // Then
        assertEquals(Optional.empty(), definitions.agent("default"));
        assertEquals(List.of("orders@1", "parcels@1"), tools(definitions));
        assertEquals(Optional.empty(), definitions.tool("weather"), "neither an older version nor the host's");
        assertEquals(Optional.empty(), definitions.skill("trips", null));
        assertEquals(List.of(other), definitions.skills());
        for (String called : List.of("weather", "echo")) {
            assertEquals(
                    new Decision(PermissionAction.DENY, rule),
                    Permissions.decide(
                            definitions.permissions(),
                            new Permissions.Call("default", called, "@read", Subject.NONE),
                            Instant.EPOCH),
                    "a rule that cannot be read could be a denial");
        }
        Map<String, Optional<Definition>> withoutEndpoint = byKey(HOST, host);
        withoutEndpoint.put(HOST.key("endpoint", "crm"), Optional.empty());
        assertEquals(
                List.of("weather@3"),
                tools(ScopedDefinitions.of(List.of(withoutEndpoint), (_, _) -> null)),
                "a tool cannot be used without its endpoint");
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
