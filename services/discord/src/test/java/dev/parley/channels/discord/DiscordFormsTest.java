package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.chat.ChatForm.Bounds;
import dev.parley.channels.chat.ChatForm.Field;
import dev.parley.channels.chat.ChatForm.Kind;
import dev.parley.channels.chat.ChatForm.Option;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DiscordFormsTest {
    private static Field field(String name, Kind kind, List<Option> choices) {
        return new Field(name, "", "", kind, choices, true, List.of(), Bounds.NONE);
    }

    private static ChatForm form(List<Field> fields) {
        return new ChatForm("A form", "Why it is asked", "Send", fields);
    }

    private static JsonNode input(Field field) {
        JsonNode modal = DiscordForms.modal(form(List.of(field)), "data").orElseThrow();
        return modal.path("components").path(1).path("component");
    }

    @Test
    @Tag("B233")
    void fieldsAreLabelledInputs() {
        // Given
        var bounds = new Bounds(BigDecimal.ONE, BigDecimal.valueOf(9_000));
        var city =
                new Field("city", "C".repeat(50), "H".repeat(120), Kind.TEXT, List.of(), true, List.of("Bern"), bounds);

        // When
        JsonNode modal = DiscordForms.modal(form(List.of(city)), "signed").orElseThrow();

        // Then
        assertEquals("signed", modal.path("custom_id").asText());
        assertEquals(
                "Why it is asked",
                modal.path("components").path(0).path("content").asText());
        JsonNode label = modal.path("components").path(1);
        assertEquals(45, label.path("label").asText().length());
        assertEquals(100, label.path("description").asText().length());
        JsonNode input = label.path("component");
        assertEquals("city", input.path("custom_id").asText());
        assertEquals("Bern", input.path("value").asText());
        assertEquals(1, input.path("min_length").asInt());
        assertEquals(4_000, input.path("max_length").asInt());
    }

    @Test
    void choicesAreMenusAndYesOrNoIsARadioGroup() {
        var options = List.of(new Option("a", "A"), new Option("b", "B"));

        assertEquals(3, input(field("one", Kind.CHOICE, options)).path("type").asInt());
        assertEquals(
                2,
                input(field("many", Kind.CHOICES, options)).path("max_values").asInt());
        assertEquals(
                21, input(field("sure", Kind.YES_NO, List.of())).path("type").asInt());
        assertEquals(
                10, input(field("day", Kind.DATE, List.of())).path("max_length").asInt());
    }

    @Test
    @Tag("B233")
    void formThatDoesNotFitIsNotShown() {
        List<Field> six = Collections.nCopies(6, field("x", Kind.TEXT, List.of()));
        List<Option> many = IntStream.range(0, 26)
                .mapToObj(i -> new Option("v" + i, "l" + i))
                .toList();

        assertTrue(DiscordForms.modal(form(six), "data").isEmpty());
        assertTrue(DiscordForms.modal(form(List.of(field("x", Kind.CHOICE, many))), "data")
                .isEmpty());
        assertTrue(DiscordForms.modal(form(List.of(field("x".repeat(101), Kind.TEXT, List.of()))), "data")
                .isEmpty());
        assertEquals(
                5,
                DiscordForms.modal(form(six.subList(0, 5)), "data")
                        .orElseThrow()
                        .path("components")
                        .size());
    }

    @Test
    @Tag("B233")
    void valuesOfEmptyFieldsAreMissing() {
        JsonNode modal = DiscordApi.read("""
                {"components": [
                  {"type": 18, "component": {"type": 4, "custom_id": "city", "value": "Bern"}},
                  {"type": 18, "component": {"type": 4, "custom_id": "why", "value": ""}},
                  {"type": 18, "component": {"type": 21, "custom_id": "sure", "value": null}},
                  {"type": 18, "component": {"type": 3, "custom_id": "many", "values": ["a", "b"]}},
                  {"type": 10}]}""");

        assertEquals(Map.of("city", List.of("Bern"), "many", List.of("a", "b")), DiscordForms.values(modal));
    }
}
