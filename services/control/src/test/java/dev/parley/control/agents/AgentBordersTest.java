package dev.parley.control.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.control.definitions.AgentRow;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.AgentSkill;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.document.Fault;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.document.Document;
import dev.parley.platform.document.InvalidDocumentException;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.testkit.InvalidDocuments;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One document of an agent at all borders: a file, a request, an archive, the topic and a row. */
class AgentBordersTest {
    private static final Document<Agent> AGENT = Document.of(Agent.class);
    private static final UUID ID = new UUID(1, 2);

    @TempDir
    Path folder;

    /** An agent in which no field has its default. */
    private static Agent full() {
        return new Agent(
                        null,
                        "full",
                        "",
                        "Looks things up.",
                        AgentMode.SUBAGENT,
                        true,
                        "scripted",
                        "a/b",
                        "env:KEY",
                        "You look things up.\n",
                        List.of("echo", "time"),
                        List.of(
                                new AgentSkill("trips", "1.1", 7, "{\"a\":{\"b\":[1,2.5,true,null]},\"c\":\"x\"}"),
                                new AgentSkill(AgentSkill.ALL, null, 0, null)),
                        0.5,
                        0.25,
                        77,
                        ThinkingLevel.HIGH,
                        new Agent.Limits(3, Duration.ofSeconds(90), 4, 5_000L, 1_250_000_000L, 30, 9, 8, 700),
                        Map.of("fallback", "scripted/c", "memory", "user, agent", "memoryDays", "30"),
                        List.of(
                                new Guardrail(
                                        "cards",
                                        List.of(GuardrailStage.OUTPUT),
                                        "[0-9]{16}",
                                        null,
                                        GuardrailAction.REWRITE,
                                        "[card]",
                                        Guardrail.MESSAGE,
                                        false),
                                new Guardrail(
                                        "judge",
                                        List.of(GuardrailStage.values()),
                                        null,
                                        "judge",
                                        GuardrailAction.BLOCK,
                                        Guardrail.REPLACEMENT,
                                        "No.",
                                        true)))
                .withColor("#ff8800")
                .withMetadata(Map.of("team", "search", "cost-centre", "12"))
                .withContentVersion();
    }

    // ---- borders

    private Agent ofFile(Object document) throws IOException {
        return config(document).agents().stream()
                .filter(agent -> agent.name().equals("full"))
                .findFirst()
                .orElseThrow();
    }

    private ParleyConfig config(Object... documents) throws IOException {
        Path file = folder.resolve("parley.yml");
        Files.writeString(file, JsonMappers.yaml().writeValueAsString(Map.of("agents", documents)));
        return ConfigReader.read(Map.of("PARLEY_CONFIG", file.toString()));
    }

    private Agent ofRequest(Object document) throws IOException {
        return new AgentRequests(config()).read(null, JsonNode.from(document));
    }

    private static Agent ofTopic(Agent agent) {
        var serde = RecordSerde.of(Definition.class);
        Definition read = serde.deserializer()
                .deserialize("definitions", serde.serializer().serialize("definitions", agent));
        KafkaDefinitions.requireValid(read);
        return (Agent) read;
    }

    private static Agent ofRow(Object document) throws IOException {
        String body = JsonMappers.stored().writeValueAsString(document);
        return new AgentRow(ID, ID, null, "full", body, 1, true, Instant.EPOCH, "test")
                .stored()
                .require();
    }

    // ---- what is valid

    @Test
    @Tag("A1")
    void aDocumentIsTheSameAtAllBorders() throws IOException {
        // Given
        Agent agent = full();
        Map<String, Object> document = AGENT.write(agent);

        // Then
        assertTrue(document.values().stream().noneMatch(Objects::isNull), document.toString());
        assertEquals(agent, ofFile(document));
        assertEquals(agent, ofRequest(document).withContentVersion());
        assertEquals(agent, ofRequest(AGENT.write(ofTopic(agent))).withContentVersion());
        assertEquals(agent.withDefinitionId(ID), ofRow(document));
        assertEquals(document, AGENT.write(ofRow(document)));
    }

    @Test
    void whatADocumentLeavesOutHasItsDefault() {
        Agent agent = AGENT.read(Map.of("name", "full", "model", "scripted/a"));
        assertEquals(Agent.of("full", "scripted", "a", ""), agent.withContentVersion());
    }

    // ---- what is not

    private static Map<String, @Nullable Object> with(String path, Object value) {
        return InvalidDocuments.with(AGENT.write(full()), path, value);
    }

    static Stream<Arguments> invalid() {
        return Stream.concat(
                InvalidDocuments.of(Agent.class, AGENT.write(full()))
                        .filter(invalid -> invalid.document().get("model") != null) // files have a default
                        .map(invalid -> Arguments.of(invalid.field(), invalid.document(), null)),
                bounds().map(Arguments::get)
                        .map(invalid ->
                                Arguments.of(invalid[0], with(String.valueOf(invalid[0]), invalid[1]), invalid[2])));
    }

    private static Stream<Arguments> bounds() {
        Agent agent = full();
        Map<String, String> tooMany = IntStream.range(0, 51).boxed().collect(Collectors.toMap(i -> "o" + i, i -> "x"));
        return Stream.of(
                Arguments.of("name", "a b", null),
                Arguments.of("description", "x".repeat(501), agent.withDescription("x".repeat(501))),
                Arguments.of("model", "scripted", agent.withProvider("s p")),
                Arguments.of("apiKey", "x".repeat(257), agent.withApiKeyRef("x".repeat(257))),
                Arguments.of("prompt", "x".repeat(65_537), agent.withPrompt("x".repeat(65_537))),
                Arguments.of("prompt", "\u0007", agent.withPrompt("\u0007")),
                Arguments.of("tools", Collections.nCopies(201, "a"), null),
                Arguments.of("temperature", 3, agent.withTemperature(3.0)),
                Arguments.of("topP", -0.1, agent.withTopP(-0.1)),
                Arguments.of("maxTokens", 0, agent.withMaxTokens(0)),
                Arguments.of("maxTokens", 1.5, null),
                Arguments.of("limits.maxSteps", 1_001, null),
                Arguments.of("limits.turnTimeout", "25h", null),
                Arguments.of("limits.sessionTokens", 0, null),
                Arguments.of("limits.sessionCost", 0, null),
                Arguments.of("limits.compactAt", 9, null),
                Arguments.of("skills[0].name", "", null),
                Arguments.of("options", tooMany, null),
                Arguments.of("color", "x".repeat(33), agent.withColor("x".repeat(33))),
                Arguments.of("color", "a\u202eb", agent.withColor("a\u202eb")),
                Arguments.of("metadata", tooMany, agent.withMetadata(tooMany)),
                Arguments.of("metadata.team", "x".repeat(257), agent.withMetadata(Map.of("team", "x".repeat(257)))),
                Arguments.of("metadata.a b", "x", agent.withMetadata(Map.of("a b", "x"))),
                Arguments.of("promt", "x", null));
    }

    @ParameterizedTest
    @MethodSource("invalid")
    @Tag("A1")
    void aFaultIsTheSameAtAllBorders(String path, Map<String, @Nullable Object> document, @Nullable Agent published)
            throws IOException {
        // Given
        List<Fault> faults = assertThrows(InvalidDocumentException.class, () -> AGENT.read(document))
                .faults();
        assertEquals(List.of(path), faults.stream().map(Fault::field).toList());
        Fault fault = faults.getFirst();

        // Then
        assertEquals(fault.sentence(), refusal(() -> ofRequest(document)));
        assertEquals(fault.sentence(), refusal(() -> ofRow(document)));
        assertEquals("agents[0].%s: %s".formatted(fault.field(), fault.problem()), refusal(() -> ofFile(document)));
        if (published != null) {
            String refusal = refusal(() -> ofTopic(published));
            assertTrue(refusal.endsWith(fault.sentence()), refusal);
        }
    }

    @Test
    void allFaultsAreNamed() {
        // Given
        Map<String, @Nullable Object> document = InvalidDocuments.with(with("temperature", 3), "limits.maxSteps", 0);
        document.put("name", "a b");

        // Then
        assertEquals(
                List.of("name", "temperature", "limits.maxSteps"),
                assertThrows(InvalidDocumentException.class, () -> AGENT.read(document)).faults().stream()
                        .map(Fault::field)
                        .toList());
    }

    private interface Border {
        Object read() throws IOException;
    }

    private static String refusal(Border border) {
        return String.valueOf(assertThrows(RuntimeException.class, border::read).getMessage());
    }
}
