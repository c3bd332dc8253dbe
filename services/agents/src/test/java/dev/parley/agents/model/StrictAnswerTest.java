package dev.parley.agents.model;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Usage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StrictAnswerTest {
    private static final String SCHEMA = """
        {"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}\
        """;
    private static final Map<String, String> STRICT = Map.of("responseSchema", SCHEMA, "strictSchema", "true");

    private static ModelRequest request(int attempt, Map<String, String> options) {
        return new ModelRequests()
                .user("x")
                .attempt(attempt)
                .agent(Agents.of("scripted", "m", null, null, ThinkingLevel.NONE, options))
                .request();
    }

    private static ModelAnswer answer(FinishReason finish, Block block) {
        return new ModelAnswer(List.of(block), finish, Usage.NONE, "m", null);
    }

    private static ModelAnswer says(String text) {
        return answer(FinishReason.STOP, Block.text(text));
    }

    @Test
    @Tag("B94")
    void answerThatBreaksTheSchemaFailsWithTheReason() {
        for (String broken :
                List.of("no JSON", "{}", "{\"n\":\"1\"}", "{\"n\":1,\"m\":2}", "[1]", "{\"n\":1} trailing", "")) {
            var failure = assertThrows(ModelFailure.class, () -> StrictAnswer.check(request(1, STRICT), says(broken)));

            assertEquals(ErrorCategory.INVALID_ANSWER, failure.category(), broken);
            assertTrue(failure.detail().startsWith("the answer does not match its schema: "), failure.detail());
        }
    }

    @Test
    @Tag("B94")
    void whatIsNoBrokenResultPasses() {
        var call = new Block.ToolCall("c", "f", "{}", null);
        assertDoesNotThrow(() -> StrictAnswer.check(request(1, STRICT), says("{\"n\":1}")));
        assertDoesNotThrow(() -> StrictAnswer.check(request(1, STRICT), answer(FinishReason.TOOL_CALLS, call)));
        assertDoesNotThrow(() -> StrictAnswer.check(request(1, STRICT), answer(FinishReason.LENGTH, Block.text("{"))));
        assertDoesNotThrow(() -> StrictAnswer.check(request(1, Map.of("responseSchema", SCHEMA)), says("no JSON")));
    }
}
