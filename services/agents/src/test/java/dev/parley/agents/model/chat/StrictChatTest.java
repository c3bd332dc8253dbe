package dev.parley.agents.model.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.parley.agents.model.chat.ServerQuirks.Server;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictChatTest {
    private static final String CALL =
            "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"t\",\"arguments\":\"{}\"}}]}";
    private static final String RESULT = "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"x\"}";
    private static final String USER = "{\"role\":\"user\",\"content\":\"x\"}";

    private static String body(String... messages) {
        return "{\"model\":\"m\",\"messages\":[" + String.join(",", messages) + "]}";
    }

    @Test
    void aGoodRequestHasNoFaults() throws Exception {
        assertEquals(List.of(), new StrictChat(Server.OPENAI).faults(body(USER, CALL, RESULT, USER)));
    }

    @Test
    void unpairedCallsAndResultsAreFaults() throws Exception {
        var strict = new StrictChat(Server.OPENAI);
        assertFalse(strict.faults(body(USER, CALL, USER, RESULT)).isEmpty());
        assertFalse(strict.faults(body(USER, CALL)).isEmpty());
        assertFalse(strict.faults(body(USER, RESULT)).isEmpty());
        assertFalse(strict.faults(body(USER, CALL, RESULT, RESULT)).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"GEMINI", "DEEPSEEK"})
    void missingReturnedItemsAreFaults(Server server) throws Exception {
        assertEquals(1, new StrictChat(server).faults(body(USER, CALL, RESULT)).size());
        assertEquals(
                1,
                new StrictChat(Server.OTHER)
                        .signed("a", "signature")
                        .faults(body(USER, CALL, RESULT))
                        .size());
    }

    @Test
    void emptyMessagesAndUnknownParametersAreFaults() throws Exception {
        // Given
        var strict = new StrictChat(Server.OLLAMA);

        // Then
        assertEquals(
                1,
                strict.faults(body("{\"role\":\"assistant\",\"content\":\" \"}"))
                        .size());
        assertEquals(
                1, strict.faults(body("{\"role\":\"user\",\"content\":\"\"}")).size());
        assertEquals(1, strict.faults("{\"thinking\":1,\"messages\":[]}").size());
        assertEquals(
                1,
                strict.faults("{\"tools\":[],\"tool_choice\":\"none\",\"messages\":[]}")
                        .size());
        String invalidCall = CALL.replace("\"{}\"", "\"no json\"");
        assertEquals(1, strict.faults(body(USER, invalidCall, RESULT)).size());
    }
}
