package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.ThinkingLevel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentTest {
    @Test
    void theVersionDoesNotDependOnTheOrderOfOptions() {
        var forwards = new LinkedHashMap<String, String>();
        var backwards = new LinkedHashMap<String, String>();
        List.of("a", "b", "c").forEach(name -> forwards.put(name, "1"));
        List.of("c", "b", "a").forEach(name -> backwards.put(name, "1"));

        assertEquals(withOptions(forwards), withOptions(backwards));
        assertEquals(
                List.of("a", "b", "c"),
                List.copyOf(withOptions(backwards).options().keySet()),
                "in every process");
    }

    private static Agent withOptions(Map<String, String> options) {
        return new Agent(
                        null,
                        "default",
                        "",
                        "",
                        AgentMode.ALL,
                        false,
                        "scripted",
                        "m",
                        null,
                        "",
                        List.of(),
                        List.of(),
                        null,
                        null,
                        null,
                        ThinkingLevel.NONE,
                        Agent.Limits.DEFAULT,
                        options,
                        List.of())
                .withContentVersion();
    }
}
