package dev.parley.platform.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GuardrailFieldsTest {
    /** name, on, pattern, action, replacement, tool, message, onError */
    private static GuardrailFields of(@Nullable String... fields) {
        return new GuardrailFields(
                fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6], fields[7]);
    }

    private static Arguments invalid(String field, @Nullable String... fields) {
        return Arguments.of(field, of(fields));
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                invalid("g[0].name", null, null, "x", "block", null, null, null, null),
                invalid("g[0].name", "a b", null, "x", "block", null, null, null, null),
                invalid("g[0].pattern", "a", null, null, null, null, null, null, null),
                invalid("g[0].pattern", "a", null, "x", "block", null, "judge", null, null),
                invalid("g[0].pattern", "a", null, "(", "block", null, null, null, null),
                invalid("g[0].pattern", "a", null, "x*", "block", null, null, null, null),
                invalid("g[0].pattern", "a", null, "x".repeat(1_001), "block", null, null, null, null),
                invalid("g[0].on", "a", "in", "x", "block", null, null, null, null),
                invalid("g[0].action", "a", null, "x", null, null, null, null, null),
                invalid("g[0].action", "a", null, "x", "allow", null, null, null, null),
                invalid("g[0].action", "a", null, null, "block", null, "judge", null, null),
                invalid("g[0].replacement", "a", null, "x", "block", "y", null, null, null),
                invalid("g[0].replacement", "a", null, "x", "rewrite", "y".repeat(201), null, null, null),
                invalid("g[0].replacement", "a", null, null, null, "y", "judge", null, null),
                invalid("g[0].tool", "a", null, null, null, null, "load_skill", null, null),
                invalid("g[0].tool", "a", null, null, null, null, "no tool", null, null),
                invalid("g[0].message", "a", null, "x", "block", null, null, "y".repeat(1_001), null),
                invalid("g[0].onError", "a", null, "x", "block", null, null, null, "ignore"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    @Tag("G11")
    void aFaultNamesItsField(String field, GuardrailFields fields) {
        var fault = assertThrows(GuardrailFields.Fault.class, () -> GuardrailFields.read("g", List.of(fields)));
        assertEquals(field, fault.field(), fault.getMessage());
    }

    @Test
    @Tag("G11")
    void rejectsTooManyGuardrailsAndDuplicateNames() {
        GuardrailFields fields = of("a", null, "x", "block", null, null, null, null);
        var tooMany = Collections.nCopies(Guardrail.MAX_COUNT + 1, fields);
        assertEquals(
                "g",
                assertThrows(GuardrailFields.Fault.class, () -> GuardrailFields.read("g", tooMany))
                        .field());
        assertEquals(
                "g[1].name",
                assertThrows(GuardrailFields.Fault.class, () -> GuardrailFields.read("g", List.of(fields, fields)))
                        .field());
    }

    @Test
    void guardrailsSurviveARoundTrip() throws GuardrailFields.Fault {
        // Given
        var rails = List.of(
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
                        true));

        // When
        var fields = IntStream.range(0, rails.size())
                .mapToObj(i -> GuardrailFields.of(rails.get(i)))
                .toList();

        // Then
        assertEquals(rails, GuardrailFields.read("g", List.copyOf(fields)));
    }
}
