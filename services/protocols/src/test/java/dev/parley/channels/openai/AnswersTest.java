package dev.parley.channels.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.ResponseJson.Status;
import dev.parley.channels.openai.request.ClientToolCall;
import dev.parley.channels.openai.store.ResponseId;
import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnDelta.Kind;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A turn's answers in OpenAI's formats. */
class AnswersTest {
    private static final UUID TURN = new UUID(0, 1);
    private static final Usage USAGE = new Usage(1_000, 50, 20, 800, 0, null);

    private static TurnDelta delta(Kind kind, int step, int attempt, String text) {
        return TurnDelta.of(TURN, kind, step, attempt, text);
    }

    static TurnDelta done(String reply) {
        return new TurnDelta(TURN, Kind.DONE, 1, 0, reply, null, null, TurnState.COMPLETED);
    }

    private static List<Piece> pieces(AnswerText text, TurnDelta... deltas) {
        return Stream.of(deltas).map(text::add).filter(Objects::nonNull).toList();
    }

    @Test
    @Tag("D3")
    void eachModelCallStartsANewText() {
        // Given
        var text = new AnswerText(false);

        // When
        var pieces = pieces(
                text,
                delta(Kind.TOKEN, 0, 1, "I "),
                delta(Kind.TOKEN, 0, 1, "look."),
                delta(Kind.TOOL_CALL, 0, 1, "{}"),
                delta(Kind.MESSAGE, 0, 1, "wait"),
                delta(Kind.TOOL_RESULT, 0, 1, "5"),
                delta(Kind.TOKEN, 1, 1, "It is"),
                done("It is 5."));

        // Then
        assertEquals(
                List.of(
                        new Piece(true, "I "),
                        new Piece(false, "look."),
                        new Piece(true, "wait"),
                        new Piece(true, "It is"),
                        new Piece(false, " 5.")),
                pieces);
        assertEquals(List.of("I look.", "wait", "It is 5."), text.texts());
    }

    @Test
    @Tag("D3")
    void retryDoesNotRepeatStreamedText() {
        // Given
        var text = new AnswerText(false);

        // When
        var pieces = pieces(
                text,
                delta(Kind.TOKEN, 0, 1, "one two"),
                delta(Kind.RETRY, 0, 2, ""),
                delta(Kind.TOKEN, 0, 1, " late"),
                delta(Kind.TOKEN, 0, 2, "one "),
                delta(Kind.TOKEN, 0, 2, "two three"),
                done("one two three"));

        // Then
        assertEquals(List.of(new Piece(true, "one two"), new Piece(false, " three")), pieces);
    }

    @Test
    @Tag("D3")
    void retryWithDifferentTextStartsANewText() {
        var text = new AnswerText(false);

        var pieces = pieces(
                text, delta(Kind.TOKEN, 0, 1, "one two"), delta(Kind.TOKEN, 0, 2, "one three"), done("one three"));

        assertEquals(List.of(new Piece(true, "one two"), new Piece(true, "one three")), pieces);
    }

    @Test
    void jsonAnswerOmitsEarlierTexts() {
        var text = new AnswerText(true);

        var pieces =
                pieces(text, delta(Kind.TOKEN, 0, 1, "I look"), delta(Kind.MESSAGE, 0, 1, "wait"), done("{\"a\":1}"));

        assertEquals(List.of(new Piece(true, "{\"a\":1}")), pieces);
    }

    @Test
    void truncatedReplyIsMarkedAsCutOutsideItsText() {
        var text = new AnswerText(false);

        assertEquals(
                1,
                pieces(text, delta(Kind.TOKEN, 0, 1, "one"), done("one\n(cut)")).size());

        assertTrue(text.isCut());
        assertEquals(List.of("one"), text.texts());
    }

    @Test
    @Tag("D3")
    void usageTotalsIncludeCachedAndReasoningTokensOnce() {
        // When
        JsonNode completion = CompletionJson.usage(USAGE);
        JsonNode response = ResponseJson.usage(USAGE);

        // Then
        assertEquals(1_050, completion.get("total_tokens").asInt());
        assertEquals(1_000, completion.get("prompt_tokens").asInt());
        assertEquals(800, completion.at("/prompt_tokens_details/cached_tokens").asInt());
        assertEquals(
                20, completion.at("/completion_tokens_details/reasoning_tokens").asInt());
        assertEquals(1_050, response.get("total_tokens").asInt());
        assertEquals(800, response.at("/input_tokens_details/cached_tokens").asInt());
        assertEquals(20, response.at("/output_tokens_details/reasoning_tokens").asInt());
    }

    @Test
    @Tag("D3")
    void onlyTheLastChunkHasAFinishReasonAndUsageIsOptional() {
        // Given
        var json = new CompletionJson("chatcmpl-1", 7, "default");

        // When
        ObjectNode piece = json.textChunk(new Piece(true, "b"), true, false);

        // Then
        assertEquals("\n\nb", piece.at("/choices/0/delta/content").asText());
        assertTrue(piece.at("/choices/0/finish_reason").isNull());
        assertFalse(piece.has("usage"));
        assertTrue(json.firstChunk(true).get("usage").isNull());
        assertEquals(
                "assistant", json.firstChunk(true).at("/choices/0/delta/role").asText());
        assertEquals(
                "stop",
                json.finishChunk(CompletionJson.finish(List.of(), false), false)
                        .at("/choices/0/finish_reason")
                        .asText());
        assertEquals(
                "length",
                json.finishChunk(CompletionJson.finish(List.of(), true), false)
                        .at("/choices/0/finish_reason")
                        .asText());
        assertTrue(json.usageChunk(USAGE).get("choices").isArray());
        assertEquals(0, json.usageChunk(USAGE).get("choices").size());
    }

    private static ResponseJson response() {
        return new ResponseJson(
                ResponseId.of(TURN, 0), 7, ProtocolJson.object().put("instructions", "x"), "m", null, null);
    }

    private static List<ObjectNode> end(
            ResponseEvents events, ResponseJson response, Status status, List<ClientToolCall> calls) {
        var last = new ArrayList<>(events.close(status, calls));
        Failure failure = Failure.of(ErrorCategory.SERVER, "broken");
        last.addAll(events.end(response.of(status, events.output(), USAGE, null, 8L), status, failure));
        return last;
    }

    private static List<String> types(List<ObjectNode> events) {
        return events.stream().map(event -> event.get("type").asText()).toList();
    }

    @Test
    @Tag("D4")
    void numbersEventsAndWrapsEachTextInItemAndPart() {
        // Given
        var response = response();
        var events = new ResponseEvents(response.id(), response.open(Status.IN_PROGRESS));

        // When
        var sent = new ArrayList<>(events.openingEvents());
        sent.addAll(events.text(new Piece(true, "a")));
        sent.addAll(events.text(new Piece(false, "b")));
        sent.addAll(events.text(new Piece(true, "c")));
        sent.addAll(end(events, response, Status.COMPLETED, List.of()));

        // Then
        assertEquals(
                List.of(
                        "response.created",
                        "response.in_progress",
                        "response.output_item.added",
                        "response.content_part.added",
                        "response.output_text.delta",
                        "response.output_text.delta",
                        "response.output_text.done",
                        "response.content_part.done",
                        "response.output_item.done",
                        "response.output_item.added",
                        "response.content_part.added",
                        "response.output_text.delta",
                        "response.output_text.done",
                        "response.content_part.done",
                        "response.output_item.done",
                        "response.completed"),
                types(sent));
        assertEquals(
                IntStream.range(0, sent.size()).boxed().toList(),
                sent.stream().map(event -> event.get("sequence_number").asInt()).toList());
        assertEquals("ab", sent.get(6).get("text").asText());
        assertEquals(1, sent.get(11).get("output_index").asInt());
        JsonNode complete = sent.getLast().get("response");
        assertEquals(sent.get(8).get("item"), complete.at("/output/0"));
        assertEquals(sent.get(14).get("item"), complete.at("/output/1"));
        assertEquals("x", complete.get("instructions").asText());
        assertEquals(1_050, complete.at("/usage/total_tokens").asInt());
        assertTrue(complete.get("error").isNull());
    }

    @Test
    @Tag("D10")
    void clientToolCallsFollowTheText() {
        var call = new ClientToolCall("call_7", "pick", "{\"n\":1}");

        // When: a completion
        var json = new CompletionJson("chatcmpl-1", 7, "m");
        JsonNode completion = json.completion(List.of("let me see"), List.of(call), false, null);
        JsonNode silent = json.completion(List.of(), List.of(call), false, null);
        JsonNode chunk = json.toolCallChunk(0, call, false);

        // Then
        assertEquals("tool_calls", completion.at("/choices/0/finish_reason").asText());
        assertEquals(
                "call_7", completion.at("/choices/0/message/tool_calls/0/id").asText());
        assertEquals(
                "{\"n\":1}",
                completion
                        .at("/choices/0/message/tool_calls/0/function/arguments")
                        .asText());
        assertTrue(silent.at("/choices/0/message/content").isNull());
        assertEquals(0, chunk.at("/choices/0/delta/tool_calls/0/index").asInt());

        // When: a response
        var response = response();
        var events = new ResponseEvents(response.id(), response.open(Status.IN_PROGRESS));
        var sent = new ArrayList<>(events.text(new Piece(true, "let me see")));
        sent.addAll(end(events, response, Status.COMPLETED, List.of(call)));
        JsonNode complete = sent.getLast().get("response");

        // Then
        assertEquals(
                List.of(
                        "response.output_item.added",
                        "response.content_part.added",
                        "response.output_text.delta",
                        "response.output_text.done",
                        "response.content_part.done",
                        "response.output_item.done",
                        "response.output_item.added",
                        "response.function_call_arguments.delta",
                        "response.function_call_arguments.done",
                        "response.output_item.done",
                        "response.completed"),
                types(sent));
        assertEquals(sent.get(9).get("item"), complete.at("/output/1"));
        assertEquals(1, sent.get(9).get("output_index").asInt());
        assertEquals("call_7", complete.at("/output/1/call_id").asText());
    }

    @Test
    @Tag("B90")
    void replayHasTheEventsOfTheStream() {
        // Given
        var response = response();
        var events = new ResponseEvents(response.id(), response.open(Status.IN_PROGRESS));
        var call = new ClientToolCall("call_7", "pick", "{}");
        var sent = new ArrayList<>(events.openingEvents());
        for (Piece piece : List.of(new Piece(true, "a"), new Piece(false, "bc"), new Piece(true, "d"))) {
            sent.addAll(events.text(piece));
        }
        sent.addAll(events.reasoning(new Piece(true, "hm")));
        sent.addAll(events.reasoning(new Piece(false, "m")));
        sent.addAll(end(events, response, Status.COMPLETED, List.of(call)));
        ObjectNode complete = (ObjectNode) sent.getLast().get("response");

        // When
        List<ObjectNode> replayed = ResponseEvents.replay(response.id(), complete, events.pieces());

        // Then
        assertEquals(sent, replayed);
        assertEquals(
                List.of("message", "message", "reasoning", "function_call"),
                complete.get("output").findValuesAsText("type").stream()
                        .filter(type -> !type.endsWith("_text"))
                        .toList());
        assertEquals("hmm", complete.at("/output/2/summary/0/text").asText());
        List<ObjectNode> withoutPieces = ResponseEvents.replay(response.id(), complete, ProtocolJson.array());
        assertEquals(sent.getLast().get("response"), withoutPieces.getLast().get("response"));
        for (Status status : List.of(Status.FAILED, Status.CANCELLED, Status.INCOMPLETE)) {
            var ending = new ResponseEvents(response.id(), response.open(Status.IN_PROGRESS));
            ending.text(new Piece(true, "a"));
            ObjectNode ended = (ObjectNode)
                    end(ending, response, status, List.of()).getLast().get("response");
            assertEquals(
                    status == Status.INCOMPLETE ? "response.incomplete" : "response.failed",
                    types(ResponseEvents.replay(response.id(), ended, ProtocolJson.array()))
                            .getLast());
        }
    }

    @Test
    @Tag("D10")
    void omitsTextsOfEarlierSteps() {
        var text = new AnswerText(false, 1);

        assertNull(text.add(delta(Kind.TOKEN, 0, 1, "let me see")));
        assertNull(text.add(delta(Kind.MESSAGE, 0, 0, "a moment")));
        assertEquals(new Piece(true, "blue"), text.add(delta(Kind.TOKEN, 1, 1, "blue")));
        assertEquals(List.of("blue"), text.texts());
    }

    @Test
    @Tag("D6")
    void failedStreamEndsWithErrorAndResponseFailed() {
        // Given
        var response = response();
        var events = new ResponseEvents(response.id(), response.open(Status.IN_PROGRESS));
        var failure = Failure.of(ErrorCategory.BUDGET, "no money");

        // When
        var sent = events.end(
                response.of(Status.FAILED, ProtocolJson.array(), USAGE, failure, 8L), Status.FAILED, failure);

        // Then
        assertEquals(List.of("error", "response.failed"), types(sent));
        assertEquals("insufficient_quota", sent.get(0).get("code").asText());
        assertEquals("insufficient_quota", sent.get(0).at("/error/type").asText());
        assertEquals("no money", sent.get(1).at("/response/error/message").asText());
        assertEquals("failed", sent.get(1).at("/response/status").asText());
    }

    @Test
    @Tag("D6")
    void turnFailuresAreFinalAndNever401() {
        for (ErrorCategory category : ErrorCategory.values()) {
            var failure = Failure.of(category, "m");
            assertTrue(failure.isFinal(), category.code());
            assertTrue(failure.status() != 401, "the caller's key is good: " + category);
        }
    }

    @Test
    @Tag("D7")
    void retriedRequestKeepsItsReference() {
        long[] now = {0};
        var retries = new RetryReferences(() -> now[0]);
        UUID request = new UUID(1, 1);

        String first = retries.reference(request, false);

        assertEquals(first, retries.reference(request, true));
        assertFalse(first.equals(retries.reference(request, false)), "said twice on purpose");
        String second = retries.reference(request, true);
        retries.forget(request);
        assertFalse(second.equals(retries.reference(request, true)), "the first was refused");
        String third = retries.reference(request, true);
        now[0] = 31L * 60 * 1_000_000_000;
        assertFalse(third.equals(retries.reference(request, true)), "long ago");
    }

    @Test
    void omitsReasoning() {
        assertNull(new AnswerText(false).add(delta(Kind.REASONING, 0, 1, "hm")));
    }
}
