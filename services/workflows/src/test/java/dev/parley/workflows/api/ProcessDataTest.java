package dev.parley.workflows.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.workflows.json.JsonText;
import org.junit.jupiter.api.Test;

class ProcessDataTest {
    @Test
    void omitsLongMembersAndKeepsTheOrder() {
        var row = JsonText.read("""
                {"id": "a", "input": {"n": 1}, "context": {}, "output": [1, 2], "error": {"title": "Broken"}, "next": "a timer"}
                """);

        assertEquals(
                "{\"id\":\"a\",\"error\":{\"title\":\"Broken\"},\"next\":\"a timer\"}",
                ProcessData.without(row).toString());
    }
}
