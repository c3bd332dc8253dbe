package dev.parley.channels.protocols;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.protocols.OpenQuestions.Question;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnDelta.Kind;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a turn waits for, as its deltas tell. */
class OpenQuestionsTest {
    private final OpenQuestions questions = new OpenQuestions();

    private void hear(Kind kind, String tool, String id) {
        questions.hear(new TurnDelta(new UUID(0, 1), kind, 0, 1, "text", tool, id, null));
    }

    private List<String> open() {
        return questions.open().stream().map(Question::id).toList();
    }

    @Test
    @Tag("D24")
    void questionsBelongToTheirCalls() {
        // Given
        hear(Kind.TOOL_CALL, "echo", "c1");
        hear(Kind.APPROVAL, "echo", "q1");
        hear(Kind.TOOL_CALL, "echo", "c2");
        hear(Kind.TOOL_CALL, "time", "c3");
        hear(Kind.APPROVAL, "echo", "q2");

        // Then
        assertEquals(
                List.of("c1", "c2"),
                questions.open().stream().map(Question::call).toList());
        assertEquals(Duration.ofSeconds(2), questions.patience().orElseThrow());

        // When
        hear(Kind.TOOL_RESULT, "time", "c3");

        // Then
        assertEquals(Duration.ofMillis(300), questions.patience().orElseThrow());

        // When
        hear(Kind.TOOL_RESULT, "echo", "c1");

        // Then
        assertEquals(List.of("q2"), open());
    }

    @Test
    @Tag("D24")
    void whatIsAnsweredIsNotOpenAlsoWhenItIsHeardAgain() {
        hear(Kind.APPROVAL, "echo", "q1");
        questions.answered("q1");
        hear(Kind.APPROVAL, "echo", "q1");

        assertEquals(List.of(), open());
        assertTrue(questions.patience().isEmpty());
    }

    @Test
    @Tag("D24")
    void nothingIsAskedInATurnThatHasEnded() {
        hear(Kind.APPROVAL, "echo", "q1");
        hear(Kind.ERROR, "echo", "");

        assertEquals(List.of(), open());
    }

    @Test
    @Tag("D24")
    void theNameOfATurnSaysWhereItStands() {
        for (String session : List.of("api:0b6e1a3c-94a2-4d8e-8f1e-2b5c3d4e5f60", "web:ä 1", "k")) {
            var name = new ExternalTurnId(session, new UUID(1, 2));
            assertTrue(name.text().matches("[A-Za-z0-9_-]+"), name.text());
            assertEquals(name, ExternalTurnId.parse(name.text()).orElseThrow());
        }
        assertTrue(ExternalTurnId.parse("task-1").isEmpty());
    }
}
