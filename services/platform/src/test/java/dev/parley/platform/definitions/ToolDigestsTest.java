package dev.parley.platform.definitions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.Ids;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.definition.ToolDigest;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.ModelRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Model requests that carry digests in place of tool definitions. */
class ToolDigestsTest {
    private static final UUID PROJECT = Ids.of("project");
    private static final ToolSpec ECHO = tool("echo", "says it again");
    private static final ToolSpec FILE = tool("file", "reads a file");
    private static final ToolSpec MESSAGE = tool("message", "carried out by the machine");
    private static final ModelRequest REQUEST = request(List.of(ECHO, MESSAGE, FILE));

    private static ToolSpec tool(String name, String description) {
        return new ToolSpec(name, description, "{}", ToolEffect.IDEMPOTENT, Duration.ofSeconds(1));
    }

    private static ModelRequest request(List<ToolSpec> tools) {
        return new ModelRequest(
                Ids.of("call"),
                Ids.of("host"),
                Ids.of("session"),
                null,
                0,
                1,
                ModelRequest.Purpose.REPLY,
                Agent.of("default", "scripted", "m", ""),
                null,
                List.of(),
                null,
                tools,
                List.of(),
                true,
                null,
                Instant.EPOCH,
                Instant.EPOCH);
    }

    private static ToolDigests digests(Definition... definitions) {
        var stored = new LinkedHashMap<String, Optional<Definition>>();
        for (Definition definition : definitions) {
            stored.put("definition " + stored.size(), Optional.of(definition));
        }
        ScopedDefinitions scoped = ScopedDefinitions.of(List.of(stored), (_, _) -> null);
        return new ToolDigests((_, _) -> scoped);
    }

    @Test
    void workerWithTheSameDefinitionsRestoresTheRequest() {
        ModelRequest travelling = digests(ECHO, FILE).shorten(REQUEST, PROJECT);

        assertEquals(List.of(MESSAGE), travelling.tools());
        assertEquals(
                List.of("0 echo", "2 file"),
                travelling.toolDigests().stream()
                        .map(tool -> tool.place() + " " + tool.name())
                        .toList());
        assertEquals(Optional.of(REQUEST), digests(ECHO, FILE).complete(travelling, () -> PROJECT));
    }

    @Test
    void toolThatDiffersFromItsDefinitionIsSentInFull() {
        ModelRequest travelling =
                digests(tool("echo", "as it is defined"), FILE).shorten(REQUEST, PROJECT);

        assertEquals(List.of(ECHO, MESSAGE), travelling.tools());
        assertEquals(Optional.of(REQUEST), digests(FILE).complete(travelling, () -> PROJECT));
    }

    @Test
    void workerWithoutTheExactToolRestoresNothing() {
        ModelRequest travelling = digests(ECHO, FILE).shorten(REQUEST, PROJECT);

        assertEquals(Optional.empty(), digests(FILE).complete(travelling, () -> PROJECT));
        assertEquals(Optional.empty(), digests(tool("echo", "is new"), FILE).complete(travelling, () -> PROJECT));
    }

    @Test
    void rejectsADigestWithAnInvalidPosition() {
        var beyond = new ToolDigest(7, "echo", "", ToolDigest.digest(ECHO));

        assertEquals(
                Optional.empty(),
                digests(ECHO).complete(REQUEST.withTools(List.of(MESSAGE), List.of(beyond)), () -> PROJECT));
    }

    @Test
    void digestOfAToolIsStable() {
        assertEquals("7d5e8c42a4a77b92bc14dbc0d9de9b5a", ToolDigest.digest(ECHO));
    }
}
