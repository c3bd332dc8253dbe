package dev.parley.agents.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.turn.TurnMachine;
import dev.parley.platform.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guardrails as they appear on the topics. */
class GuardrailTopologyTest {
    private static final Agent GUARDED = Agent.of("default", "scripted", "scripted", "You are kind.")
            .withLeadingGuardrails(List.of(
                    new Guardrail(
                            "cards",
                            List.of(GuardrailStage.values()),
                            "\\d{4}(-\\d{4}){3}",
                            null,
                            GuardrailAction.REWRITE,
                            "[card]",
                            "No.",
                            false),
                    new Guardrail(
                            "judge",
                            List.of(GuardrailStage.OUTPUT),
                            null,
                            "echo",
                            GuardrailAction.BLOCK,
                            "",
                            "Not this.",
                            false)));

    @TempDir
    Path state;

    private TopologyFixture chat;

    @BeforeEach
    void open() {
        chat = new TopologyFixture(state, GUARDED);
    }

    @AfterEach
    void close() {
        chat.close();
    }

    private double counted(String stage, String action) {
        return chat.meters
                .counter("parley.guardrails.applied", "stage", stage, "action", action)
                .count();
    }

    @Test
    @Tag("G2")
    @Tag("G7")
    void turnWaitsForGuardrailResults() {
        // Given
        chat.says("cli:ann", "my card is 4111-1111-1111-1111");
        var request = chat.modelRequest();
        assertEquals("my card is [card]", request.messages().getLast().text());

        // When
        chat.modelSays("cli:ann", request, Block.text("Damn, 4111-1111-1111-1111"));
        ToolRequest outputCheck = chat.toolRequests().getFirst();
        assertEquals("{\"stage\":\"output\",\"agent\":\"default\",\"text\":\"Damn, [card]\"}", outputCheck.arguments());
        chat.toolSays("cli:ann", outputCheck, "{\"action\":\"rewrite\",\"text\":\"Oh, [card]\",\"reason\":\"rude\"}");

        // Then
        var records = chat.records(Topics.TURN_EVENTS);
        assertEquals(
                1,
                records.stream()
                        .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                        .filter(text -> text.contains("4111"))
                        .count(),
                "only the person said it");
        var finished = (Outcome.Finished) chat.read(Topics.OUTCOMES).getLast();
        assertEquals("Oh, [card]", finished.reply());
        assertEquals("my card is [card]", finished.text());
        assertEquals(1, counted("input", "rewrite"));
        assertEquals(2, counted("output", "rewrite"));
        var tokens = chat.read(Topics.TURN_DELTAS).stream()
                .filter(delta -> delta.kind() == TurnDelta.Kind.TOKEN)
                .map(TurnDelta::text)
                .toList();
        assertEquals(List.of("Oh, [card]"), tokens);
    }

    @Test
    @Tag("G9")
    void retriesAGuardrailCallWithoutAnEvent() {
        // Given
        chat.says("cli:ann", "hello");
        chat.modelSays("cli:ann", chat.modelRequest(), Block.text("Hello"));
        ToolRequest first = chat.toolRequests().getFirst();

        // When
        chat.passes(TurnMachine.LEASE.plus(Duration.ofSeconds(1)));

        // Then
        ToolRequest repeated = chat.toolRequests().getFirst();
        assertEquals(first.callId(), repeated.callId());
        assertEquals(2, repeated.attempt());
        assertEquals(
                List.of("SessionOpened", "TurnAccepted", "TurnStarted", "InputChecked", "ModelRequested"),
                chat.events());
        chat.toolSays("cli:ann", repeated, "nonsense");
        assertEquals(List.of("GuardrailApplied", "ModelCalled", "TurnCompleted"), chat.events());
        assertEquals("Not this.", ((Outcome.Finished) chat.read(Topics.OUTCOMES).getLast()).reply());
        assertFalse(chat.read(Topics.MODEL_REQUESTS).iterator().hasNext());
    }
}
