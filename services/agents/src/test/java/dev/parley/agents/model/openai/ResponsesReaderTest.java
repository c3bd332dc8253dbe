package dev.parley.agents.model.openai;

import static dev.parley.agents.model.openai.ResponsesStream.functionCall;
import static dev.parley.agents.model.openai.ResponsesStream.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.RecordedStream;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.ResponseHandler.Progress;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.platform.blob.BlobStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponsesReaderTest {
    private static final String TEXT = "response.output_text.delta";
    private static final String ARGUMENTS = "response.function_call_arguments.delta";

    private final RecordedStream heard = new RecordedStream();
    private final ResponsesReader reader =
            new ResponsesReader("openai", new Attachments(new BlobStore(Path.of("none"), 4)), heard);

    private ModelAnswer read(List<String> events) throws IOException, ModelFailure {
        for (String event : events) {
            reader.onEvent(event);
        }
        return reader.answer("gpt-5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"response.created\"}|NO_TOKEN",
                "{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"reasoning\"}}|NO_TOKEN",
                "{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"reasoning\"}}|NO_TOKEN",
                "{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"message\"}}|TOKEN",
                "{\"type\":\"response.reasoning_summary_text.delta\",\"output_index\":0,\"delta\":\"x\"}|TOKEN",
                "{\"type\":\"response.completed\",\"response\":{}}|END",
                "{\"type\":\"response.incomplete\",\"response\":{}}|END",
                "{\"type\":\"response.failed\",\"response\":{}}|END",
                "{\"type\":\"error\",\"message\":\"x\"}|END",
                "[DONE]|END"
            })
    void eventsCountAsOutputSilenceOrEnd(String event, Progress sign) throws Exception {
        assertEquals(sign, reader.onEvent(event));
    }

    @Test
    @Tag("P26")
    void surrogatePairsThatAreCutInTwoAreJoined() throws Exception {
        // When
        ModelAnswer answer = read(new ResponsesStream()
                .item(
                        "{\"type\":\"reasoning\",\"summary\":[{\"text\":\"\\ud83d\\ude00\"}]}",
                        "response.reasoning_summary_text.delta",
                        "\\ud83d",
                        "\\ude00")
                .item(message("m", "a\\ud83d\\ude00b\\ud83d"), TEXT, "a\\ud83d", "\\ude00b", "\\ud83d")
                .item(message("n", "c"), TEXT, "c")
                .item(functionCall("f", "t", "\\\"\\ud83d\\ude00\\\""), ARGUMENTS, "\\\"\\ud83d", "\\ude00\\\"")
                .completed());

        // Then
        assertEquals("😀", heard.reasoning());
        assertEquals("a😀b\uFFFD\n\nc", heard.text());
        assertEquals(heard.text(), Message.text(answer.blocks()));
        assertEquals(List.of("f t \"", "f t 😀\""), heard.arguments());
        assertEquals("\"😀\"", Message.toolCalls(answer.blocks()).getFirst().arguments());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "local_shell_call|'action':{'type':'exec','command':['ls'],'env':{},'n':1.0}|local_shell|{'type':'exec','command':['ls'],'env':{},'n':1.0}",
                "shell_call|'action':{ 'commands':['a','a']}|shell|{ 'commands':['a','a']}",
                "apply_patch_call|'operation':{'type':'delete_file','path':'\\/a'}|apply_patch|{'type':'delete_file','path':'\\/a'}",
                "computer_call|'action':{'x':1.0},'actions':null,'pending_safety_checks':[ ]|computer|{'action':{'x':1.0},'pending_safety_checks':[ ]}",
                "computer_call|'pending_safety_checks':[{'id':'s'}],'actions':[{'x':1}]|computer|{'actions':[{'x':1}],'pending_safety_checks':[{'id':'s'}]}",
            })
    void convertsClientToolCallsToToolCalls(String type, String asks, String tool, String arguments) throws Exception {
        String item =
                "{'id':'i','type':'%s','call_id':'c',%s}".formatted(type, asks).replace('\'', '"');

        ModelAnswer answer = read(new ResponsesStream().item(item).completed());

        assertEquals(
                new Block.ToolCall("c", tool, arguments.replace('\'', '"'), new ProviderItem("openai", type, item)),
                answer.blocks().getFirst());
        assertEquals(FinishReason.TOOL_CALLS, answer.finish());
    }

    @Test
    @Tag("I64")
    void dropsATruncatedClientToolCall() throws Exception {
        assertEquals(
                List.of(),
                read(new ResponsesStream()
                                .item("{\"type\":\"shell_call\",\"call_id\":\"c\",\"status\":\"incomplete\"}")
                                .completed())
                        .blocks());
    }

    @Test
    void callExecutedByTheProviderIsNotAToolCall() throws Exception {
        ModelAnswer answer = read(new ResponsesStream()
                .item("{\"type\":\"shell_call\",\"call_id\":\"c\",\"action\":{}}")
                .item("{\"type\":\"shell_call_output\",\"call_id\":\"c\",\"output\":[]}")
                .item(message("m", "done"))
                .completed());

        assertInstanceOf(Block.Raw.class, answer.blocks().get(0));
        assertInstanceOf(Block.Raw.class, answer.blocks().get(1));
        assertEquals(FinishReason.STOP, answer.finish());
    }

    @Test
    void doesNotKeepALongRawResponse() throws Exception {
        assertNull(read(new ResponsesStream()
                        .item(message("m", "é".repeat(1 << 20)))
                        .completed())
                .raw());
    }

    @Test
    void reportsAnImageThatCannotBeStored() throws Exception {
        // Given
        String png = Base64.getEncoder().encodeToString(new byte[] {(byte) 0x89, 'P', 'N', 'G', 1, 2});

        // When
        ModelAnswer answer = read(new ResponsesStream()
                .item(message("m", "Look:"), TEXT, "Look:")
                .item("{\"type\":\"image_generation_call\",\"id\":\"ig\",\"status\":\"completed\",\"result\":\"%s\"}"
                        .formatted(png))
                .completed());

        // Then
        assertEquals("Look:\n\n[image.png could not be kept: it is too large]", Message.text(answer.blocks()));
        assertEquals(heard.text(), Message.text(answer.blocks()));
        assertEquals(FinishReason.STOP, answer.finish());
        assertFalse(String.valueOf(answer.raw()).contains(png));
    }

    @Test
    void anErrorWithoutATypeIsAFailure() {
        var failure = assertThrows(
                ModelFailure.class, () -> read(List.of("{\"error\":{\"code\":\"502\",\"message\":\"bad gateway\"}}")));

        assertEquals("SERVER bad gateway", failure.category() + " " + failure.detail());
    }

    @Test
    void ignoresAnErrorEventOfAHostedTool() throws Exception {
        ModelAnswer answer = read(new ResponsesStream()
                .event("{\"type\":\"response.mcp_call.failed\",\"output_index\":0,\"error\":{\"message\":\"x\"}}")
                .item(message("m", "ok"))
                .completed());

        assertEquals("ok", Message.text(answer.blocks()));
    }

    @Test
    void readsAnErrorWithoutStreaming() throws Exception {
        reader.onBody("{\"error\":{\"code\":\"slow_down\",\"message\":\"m\"}}");

        assertEquals(
                ErrorCategory.OVERLOADED,
                assertThrows(ModelFailure.class, () -> reader.answer("gpt-5")).category());
    }
}
