package dev.parley.channels.teams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.chat.ChatForm.Bounds;
import dev.parley.channels.chat.ChatForm.Field;
import dev.parley.channels.chat.ChatForm.Kind;
import dev.parley.channels.chat.ChatForm.Option;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.FormAnswer;
import dev.parley.channels.chat.Event.Other;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("B256")
class TeamsFormsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Bounds TO_TEN = new Bounds(BigDecimal.ONE, BigDecimal.TEN);

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Field field(Kind kind, Bounds bounds, List<Option> options, String... initial) {
        return new Field("f", "**Label**", "Hint", kind, options, true, List.of(initial), bounds);
    }

    private static Optional<ObjectNode> card(Field... fields) {
        return TeamsForms.card(new ChatForm("Leave", "How *long*?", "Send", List.of(fields)), "signed");
    }

    private static JsonNode input(Field field) {
        return card(field).orElseThrow().path("body").path(3);
    }

    @Test
    void cardHasTextsWithoutMarkupAndOneInputPerField() {
        ObjectNode card = card(field(Kind.TEXT, TO_TEN, List.of(), "a week")).orElseThrow();

        assertEquals("Leave", card.at("/body/0/inlines/0/text").asText());
        assertEquals("How *long*?", card.at("/body/1/inlines/0/text").asText());
        assertEquals("Hint", card.at("/body/2/inlines/0/text").asText());
        assertEquals(
                json("{'type':'Input.Text','value':'a week','maxLength':10,'regex':'^[\\\\s\\\\S]{1,}$','id':'one:f',"
                        + "'label':'**Label**','isRequired':true,'errorMessage':'**Label**'}"),
                card.path("body").path(3));
        assertEquals("Action.Execute", card.at("/actions/0/type").asText());
        assertEquals("signed", card.at("/actions/0/data/form").asText());
        assertEquals("signed", card.at("/actions/0/fallback/data/form").asText());
    }

    @Test
    void eachKindHasItsInput() {
        var options = List.of(new Option("a,b", "A"), new Option("50%", "Half"));

        assertTrue(input(field(Kind.PARAGRAPH, Bounds.NONE, List.of()))
                .path("isMultiline")
                .asBoolean());
        JsonNode number = input(field(Kind.INTEGER, TO_TEN, List.of(), "3"));
        assertEquals(
                "Input.Number 1 10 3",
                "%s %s %s %s"
                        .formatted(
                                number.path("type").asText(),
                                number.path("min"),
                                number.path("max"),
                                number.path("value")));
        assertEquals(
                "2026-12-01",
                input(field(Kind.DATE, Bounds.NONE, List.of(), "2026-12-01"))
                        .path("value")
                        .asText());
        assertTrue(input(field(Kind.DATE, Bounds.NONE, List.of(), "tomorrow"))
                .path("value")
                .isMissingNode());
        assertEquals(
                2,
                input(field(Kind.YES_NO, Bounds.NONE, List.of()))
                        .path("choices")
                        .size());
        JsonNode choice = input(field(Kind.CHOICE, Bounds.NONE, options, "50%"));
        assertEquals("a,b", choice.at("/choices/0/value").asText());
        assertEquals("50%", choice.path("value").asText());
        JsonNode choices = input(field(Kind.CHOICES, Bounds.NONE, options, "a,b", "50%"));
        assertTrue(choices.path("isMultiSelect").asBoolean());
        assertEquals("several:f", choices.path("id").asText());
        assertEquals("a%2Cb,50%25", choices.path("value").asText());
    }

    @Test
    void whatACardCannotShowIsNoForm() {
        var many = IntStream.range(0, 101)
                .mapToObj(i -> new Option("v" + i, "Label " + i))
                .toList();
        assertEquals(Optional.empty(), card(field(Kind.CHOICE, Bounds.NONE, many)));
        assertEquals(Optional.empty(), card(field(Kind.CHOICE, Bounds.NONE, List.of(new Option("", "Nothing")))));
        var large = field(Kind.TEXT, Bounds.NONE, List.of(), "x".repeat(9_000));
        assertEquals(Optional.empty(), card(large, large, large, large, large), "Teams takes 100 KB");
    }

    @Test
    void valuesOfAnotherTypeOrNameAreLeftOut() {
        assertEquals(
                Map.of("a", List.of("x, y%2C"), "n", List.of("2"), "b", List.of("true"), "c", List.of("a,b", "50%2C")),
                TeamsForms.values(json("{'form':'signed','one:a':'x, y%2C','one:n':2,'one:b':true,"
                        + "'several:c':'a%2Cb,50%252C','one:d':'  ','one:e':['x'],'one:f':{'x':1},'one:g':null,"
                        + "'other':'x'}")));
        assertEquals(Map.of(), TeamsForms.values(json("'text'")));
        assertEquals(Map.of(), TeamsForms.values(json("[1,2]")));
    }

    // ---- activities

    private static ObjectNode activity(String kind, String value) {
        var activity = (ObjectNode) json("{'id':'1','replyToId':'2','conversation':{'id':'a:1','conversationType':"
                + "'personal'},'from':{'id':'29:1','name':'Ann'},'recipient':{'id':'28:app'}}");
        activity.put("type", kind).put("name", "adaptiveCard/action").set("value", json(value));
        return activity;
    }

    private static Object event(ObjectNode activity) {
        return new TeamsEvents("teams", "app").event(activity);
    }

    @Test
    void aFormComesAsAnInvokeAndFromOldClientsAsAMessage() {
        for (ObjectNode activity : List.of(
                activity("invoke", "{'action':{'type':'Action.Execute','data':{'form':'signed','one:a':'x'}}}"),
                activity("message", "{'form':'signed','one:a':'x'}"))) {
            FormAnswer answer = assertInstanceOf(FormAnswer.class, event(activity));

            assertEquals("signed", answer.data());
            assertEquals(Map.of("a", List.of("x")), answer.values());
            assertEquals("1", answer.query());
        }
    }

    @Test
    void dataOfAnotherTypeIsNoForm() {
        assertInstanceOf(ButtonPress.class, event(activity("invoke", "{'action':{'data':{'form':['signed']}}}")));
        assertInstanceOf(ButtonPress.class, event(activity("invoke", "{'action':'form'}")));
        assertInstanceOf(ChatMessage.class, event(activity("message", "{'form':{}}")));
        ObjectNode lost = activity("invoke", "{'action':{'data':{'form':'signed'}}}");
        lost.remove("replyToId");
        assertInstanceOf(Other.class, event(lost));
    }
}
