package dev.parley.platform.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.domain.document.Fault;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GuardrailDocumentTest {
    private static final Document<Guardrail> GUARDRAIL = Document.of(Guardrail.class);

    private static Map<String, Object> of(String... members) {
        var document = new HashMap<String, Object>();
        for (int i = 0; i < members.length; i += 2) {
            document.put(members[i], members[i + 1]);
        }
        return document;
    }

    private static Arguments invalid(String field, String... members) {
        return Arguments.of(field, of(members));
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                invalid("name", "pattern", "x", "action", "block"),
                invalid("name", "name", "a b", "pattern", "x", "action", "block"),
                invalid("pattern", "name", "a"),
                invalid("pattern", "name", "a", "pattern", "x", "action", "block", "tool", "judge"),
                invalid("pattern", "name", "a", "pattern", "(", "action", "block"),
                invalid("pattern", "name", "a", "pattern", "x*", "action", "block"),
                invalid("pattern", "name", "a", "pattern", "x".repeat(1_001), "action", "block"),
                invalid("on", "name", "a", "on", "in", "pattern", "x", "action", "block"),
                invalid("action", "name", "a", "pattern", "x"),
                invalid("action", "name", "a", "pattern", "x", "action", "allow"),
                invalid("action", "name", "a", "tool", "judge", "action", "block"),
                invalid("replacement", "name", "a", "pattern", "x", "action", "block", "replacement", "y"),
                invalid(
                        "replacement",
                        "name",
                        "a",
                        "pattern",
                        "x",
                        "action",
                        "rewrite",
                        "replacement",
                        "y".repeat(201)),
                invalid("replacement", "name", "a", "tool", "judge", "replacement", "y"),
                invalid("tool", "name", "a", "tool", "load_skill"),
                invalid("tool", "name", "a", "tool", "no tool"),
                invalid("message", "name", "a", "pattern", "x", "action", "block", "message", "y".repeat(1_001)),
                invalid("onError", "name", "a", "pattern", "x", "action", "block", "onError", "ignore"),
                invalid("colour", "name", "a", "pattern", "x", "action", "block", "colour", "red"));
    }

    private static List<String> invalidFields(Document<?> type, Object document) {
        var refused = assertThrows(InvalidDocumentException.class, () -> type.read(document));
        return refused.faults().stream().map(Fault::field).toList();
    }

    @ParameterizedTest
    @MethodSource("faults")
    @Tag("G11")
    void aFaultNamesItsField(String field, Map<String, Object> document) {
        assertEquals(List.of(field), invalidFields(GUARDRAIL, document));
    }

    @Test
    @Tag("G11")
    void rejectsTooManyGuardrailsAndDuplicateNames() {
        // Given
        var rail = of("name", "a", "pattern", "x", "action", "block");
        var agent = new HashMap<String, Object>(of("name", "a", "model", "scripted/x"));

        // Then
        agent.put("guardrails", Collections.nCopies(Guardrail.MAX_COUNT + 1, rail));
        assertEquals(List.of("guardrails"), invalidFields(Document.of(Agent.class), agent));
        agent.put("guardrails", List.of(rail, rail));
        assertEquals(List.of("guardrails[1].name"), invalidFields(Document.of(Agent.class), agent));
    }

    @Test
    void guardrailsSurviveARoundTrip() {
        // Given
        var rails = List.of(
                new Guardrail(
                        "cards",
                        List.of(GuardrailStage.OUTPUT),
                        "[0-9]{16}",
                        null,
                        GuardrailAction.REWRITE,
                        "",
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
        var documents = rails.stream().map(GUARDRAIL::write).toList();

        // Then
        assertEquals(rails, documents.stream().map(GUARDRAIL::read).toList());
    }
}
