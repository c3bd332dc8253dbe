package dev.parley.channels.bots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.chat.ChatForm.Field;
import dev.parley.channels.chat.ChatForm.Kind;
import dev.parley.domain.protocol.Choice;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskTextTest {
    private static final UUID TASK = new UUID(0, 7);
    private static final TaskText CLAIM = form("""
            "amount": { "type": "number", "title": "Amount", "minimum": 0, "maximum": 100 },
            "pieces": { "type": "integer", "default": 2 },
            "note": { "type": "string", "maxLength": 500, "description": "What happened" },
            "day": { "type": "string", "format": "date" },
            "paid": { "type": "boolean" },
            "level": { "enum": [1, 2, "high"] },
            "parts": { "type": "array", "items": { "enum": ["pump", "pipe"] }, "maxItems": 2 },
            "codes": { "type": "array", "items": { "type": "integer" } }""");

    private static TaskText form(String properties) {
        return new TaskText("""
                { "prompt": "Your claim?", "mode": "form",
                  "schema": { "type": "object", "required": ["amount"], "properties": { %s } } }""".formatted(properties));
    }

    @Test
    @Tag("B194")
    void aFormHasAFieldForEachProperty() {
        ChatForm form = CLAIM.form("Please fill in", "Send").orElseThrow();

        assertEquals("Your claim?", form.text());
        assertEquals(
                List.of(
                        Kind.NUMBER,
                        Kind.INTEGER,
                        Kind.PARAGRAPH,
                        Kind.DATE,
                        Kind.YES_NO,
                        Kind.CHOICE,
                        Kind.CHOICES,
                        Kind.TEXT),
                form.fields().stream().map(Field::kind).toList());
        Field amount = form.fields().getFirst();
        assertEquals("Amount", amount.label());
        assertTrue(amount.required());
        assertEquals(new ChatForm.Bounds(BigDecimal.ZERO, BigDecimal.valueOf(100)), amount.bounds());
        assertEquals(List.of("2"), form.fields().get(1).initial());
        assertEquals("What happened", form.fields().get(2).hint());
        assertEquals(
                List.of("1", "2", "high"),
                form.fields().get(5).choices().stream()
                        .map(ChatForm.Option::value)
                        .toList());
    }

    @Test
    @Tag("B194")
    void valuesHaveTheTypesOfTheSchema() {
        String answer = CLAIM.answer(Map.of(
                "amount", List.of("12.50"),
                "pieces", List.of("3"),
                "paid", List.of("false"),
                "level", List.of("2"),
                "parts", List.of("pipe", "pump"),
                "codes", List.of("4, 5"),
                "other", List.of("ignored")));

        assertEquals(
                "{\"fields\":{\"amount\":12.50,\"pieces\":3,\"paid\":false,\"level\":2,\"parts\":[\"pipe\",\"pump\"],"
                        + "\"codes\":[4,5]}}",
                answer);
        assertEquals("{\"fields\":{\"amount\":\"much\"}}", CLAIM.answer(Map.of("amount", List.of("much"))));
    }

    @Test
    @Tag("W37")
    void aFormCanBeAnsweredInLines() {
        assertEquals("{\"fields\":{\"amount\":12.5,\"paid\":true}}", CLAIM.parse("Amount: 12,5\npaid: yes"));
        assertTrue(CLAIM.text(null).contains("amount: Amount\npieces: integer"), CLAIM.text(null));
    }

    @Test
    @Tag("B194")
    void theButtonOfAFormIsForChatsThatShowForms() {
        assertEquals(List.of(new Choice("Fill in the form", Choice.FORM, TASK.toString())), CLAIM.choices(TASK, true));
        assertEquals(List.of(), CLAIM.choices(TASK, false));
        assertEquals(
                List.of(), form("\"who\": { \"type\": \"object\" }").choices(TASK, true), "it has parts of its own");
    }

    private static final String QUESTION = """
            {"prompt": "Which?", "options": ["red", {"label": "Light blue", "value": {"hex": "add8e6"}}]}
            """;

    @ParameterizedTest
    @Tag("B204")
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            red         | {"value":"red"}
            RED         | {"value":"red"}
            light blue  | {"value":{"hex":"add8e6"}}
            2           | {"value":{"hex":"add8e6"}}
            1.          | {"value":"red"}
            0           | {"value":"0"}
            3           | {"value":"3"}
            green       | {"value":"green"}
            """)
    void anOptionIsNamedByItsValueLabelOrNumber(String text, String answer) {
        assertEquals(answer, new TaskText(QUESTION).parse(text));
    }

    @Test
    @Tag("B204")
    void aNumberAmongNumbersIsNoPosition() {
        String question = "{\"prompt\": \"How many?\", \"options\": [\"10\", \"20\"]}";

        assertEquals("{\"value\":\"1\"}", new TaskText(question).parse("1"));
        assertEquals("{\"value\":\"20\"}", new TaskText(question).parse("20"));
    }
}
