package dev.parley.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.definition.Settings;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsJsonTest {
    private static final JsonMapper JSON = JsonMappers.bodies();

    private static Settings settings(String json) throws IOException {
        return JSON.readValue(json, SettingsJson.class).settings();
    }

    private static ApiException refused(String json) {
        return assertThrows(ApiException.class, () -> settings(json));
    }

    @Test
    void joinsListsIntoOptions() throws IOException {
        Settings settings = settings("{\"stop\":[\"END\",\"a, b\"],\"skills\":[\"plan-trips\",\"*\"]}");

        assertEquals(Map.of("stop", "END\na, b", Settings.SKILLS, "plan-trips,*"), settings.options());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"stop":[null]}          | stop is 1 to 4 texts of 1 to 256 characters
            {"stop":["END",null]}    | stop is 1 to 4 texts of 1 to 256 characters
            {"stop":[""]}            | stop is 1 to 4 texts of 1 to 256 characters
            {"skills":[null]}        | skills is a list of names without commas
            {"skills":["*",null]}    | skills is a list of names without commas
            {"skills":["one,two"]}   | skills is a list of names without commas
            """)
    void rejectsAnInvalidEntryOfAList(String json, String problem) {
        ApiException refused = refused(json);

        assertEquals(400, refused.status().getCode());
        assertEquals("In 'settings': " + problem, refused.getMessage());
    }

    @Test
    void limitsAResponseSchemaInBytes() throws IOException {
        String schema = "{\"responseSchema\":{\"description\":\"%s\"}}";

        assertTrue(settings(schema.formatted("a".repeat(32_000))).options().containsKey("responseSchema"));
        assertEquals(
                "In 'settings': a responseSchema has at most 32 KiB",
                refused(schema.formatted("é".repeat(17_000))).getMessage());
    }
}
