package dev.parley.channels.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.contract.Part;
import dev.parley.channels.openai.request.ClientCallId;
import dev.parley.channels.openai.request.ClientTranscript;
import dev.parley.channels.openai.request.FunctionTools;
import dev.parley.channels.openai.request.InputMessage.Answer;
import dev.parley.channels.openai.request.InputMessage.Call;
import dev.parley.channels.openai.request.InputMessage.Question;
import dev.parley.channels.openai.request.InputMessage.Result;
import dev.parley.channels.openai.store.ResponseId;
import dev.parley.channels.openai.store.StoredResponse;
import dev.parley.channels.protocols.MessageParts;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.channels.web.CallerToolJson;
import dev.parley.domain.definition.StopSequences;
import dev.parley.platform.http.SettingsJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsing of requests in OpenAI's formats. */
class RequestsTest {
    private static final ResponseId ID = new ResponseId(UUID.fromString("e827da68-7b28-5a19-be3d-8cd7082daa0f"));
    private static final String CALL = "call_00000000000000010000000000000001";

    private static CompletionRequest completion(String json) {
        return CompletionRequest.read(RequestFields.of(ProtocolJson.read(json.getBytes(StandardCharsets.UTF_8))));
    }

    private static ResponseRequest response(String json) {
        return response(json, Map.of());
    }

    private static ResponseRequest response(String json, Map<String, String> items) {
        return ResponseRequest.read(
                ProtocolJson.read(json.getBytes(StandardCharsets.UTF_8)),
                id -> Optional.ofNullable(items.get(id)).map(ProtocolJson::parse));
    }

    private static Failure refused(String json, boolean isResponse) {
        return assertThrows(ProtocolException.class, () -> {
                    var _ = isResponse ? response(json) : completion(json);
                })
                .failure();
    }

    private static Question question(String text) {
        return new Question(List.of(MessageParts.text(text)));
    }

    @Test
    @Tag("D2")
    void splitsTheTranscriptAfterTheLastAssistantMessage() {
        // When
        var read = completion("""
            {"model":"default","store":true,"a_field_of_tomorrow":{"x":1},"messages":[
             {"role":"system","content":"Be brief."},
             {"role":"user","content":"my name is Ann"},
             {"role":"assistant","content":null,"tool_calls":[
               {"id":"c1","type":"function","function":{"name":"greet","arguments":"{}"}},
               {"id":"c2","type":"function","function":{"name":"wave","arguments":""}}]},
             {"role":"tool","tool_call_id":"c1","content":"hi"},
             {"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"ho"}]},
             {"role":"assistant","content":"Hello Ann."},
             {"role":"developer","content":[{"type":"text","text":"Now in French."}]},
             {"role":"user","content":"who am I?"}]}\
            """);

        // Then
        assertEquals(
                List.of(
                        question("my name is Ann"),
                        new Answer("", List.of(new Call("c1", "greet", "{}"), new Call("c2", "wave", "{}"))),
                        new Result("c1", "hi"),
                        new Result("c2", "ho"),
                        new Answer("Hello Ann.", List.of())),
                read.transcript().history());
        assertEquals(List.of(question("who am I?")), read.transcript().questions());
        assertEquals("Be brief.\n\nNow in French.", read.transcript().instructions());
        assertEquals("Now in French.", read.transcript().newInstructions());
        assertEquals("my name is Ann", read.transcript().title());
        assertEquals(
                List.of("Now in French.\n\n", "who am I?"),
                read.transcript().message(read.transcript().newInstructions()).stream()
                        .map(Part::text)
                        .toList());
    }

    @Test
    void readsInlineFiles() {
        var read = completion("""
            {"model":"m","messages":[{"role":"user","content":[
             {"type":"text","text":"what is this?"},
             {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0=","detail":"low"}},
             {"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBE"}},
             {"type":"input_audio","input_audio":{"data":"UklG","format":"mp3"}}]}]}\
            """);

        assertEquals(
                List.of(
                        MessageParts.text("what is this?"),
                        new Part("file", null, "iVBORw0=", "image.png", "image/png"),
                        new Part("file", null, "JVBE", "a.pdf", "application/pdf"),
                        new Part("file", null, "UklG", "audio.mp3", "audio/mpeg")),
                read.transcript().questions().getFirst().parts());
        var items = response("""
            {"model":"m","input":[{"role":"user","content":[
             {"type":"input_image","image_url":"data:image/jpeg;base64,AAAA"}]}]}\
            """);
        assertEquals(
                List.of(new Part("file", null, "AAAA", "image.jpeg", "image/jpeg")),
                items.transcript().questions().getFirst().parts());
    }

    @Test
    @Tag("B96")
    void readsBase64WithLineEnds() {
        var read = completion("""
            {"model":"m","messages":[{"role":"user","content":[
             {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO\\r\\nRw0=\\n"}}]}]}\
            """);

        assertEquals(
                List.of(new Part("file", null, "iVBORw0=", "image.png", "image/png")),
                read.transcript().questions().getFirst().parts());
    }

    @ParameterizedTest
    @Tag("B96")
    @ValueSource(strings = {"\"\\nObservation:\"", "[\"\\n\"]", "[\"\\n\\n\", \"Q: \"]", "\" \"", "[\"\\r\\n\"]"})
    void stopIsAnyText(String stop) throws IOException {
        // When
        var read = completion(
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"stop\":" + stop + "}");

        // Then
        var expected = new ObjectMapper().readTree(stop);
        List<String> stops = expected.isTextual()
                ? List.of(expected.textValue())
                : expected.valueStream().map(JsonNode::textValue).toList();
        assertEquals(
                stops, StopSequences.read(read.settings().settings().options().get("stop")));
    }

    @Test
    @Tag("B94")
    void strictSchemaIsASettingOfTheTurn() {
        var strict = response("""
            {"model":"m","input":"x","text":{"format":{"type":"json_schema","name":"n","strict":true,"schema":{"type":"object"}}}}\
            """);
        var loose = response("""
            {"model":"m","input":"x","text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object"}}}}\
            """);

        assertEquals(true, strict.settings().strictSchema());
        assertNull(loose.settings().strictSchema());
        assertEquals("text.format.schema", refused("""
            {"model":"m","input":"x","text":{"format":{"type":"json_schema","name":"n","strict":true,"schema":{"type":"x"}}}}\
            """, true).param());
    }

    @Test
    @Tag("D2")
    void mapsRequestParametersToTurnSettings() {
        // When
        var read = completion("""
            {"model":"m","messages":[{"role":"user","content":"x"}],"stream":true,
             "stream_options":{"include_usage":true},"temperature":0.5,"top_p":0.9,"max_tokens":7,
             "max_completion_tokens":9,"stop":"END","reasoning_effort":"minimal","verbosity":"low",
             "tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"none",
             "metadata":{"session":"web:1","note":"n"},
             "response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}}\
            """);

        // Then
        var settings = read.settings();
        assertEquals(0.5, settings.temperature());
        assertEquals(0.9, settings.topP());
        assertEquals(9, settings.maxTokens());
        assertEquals(List.of("END"), settings.stop());
        assertEquals("low", settings.thinking());
        assertEquals("low", settings.verbosity());
        assertEquals("none", settings.toolChoice());
        assertEquals(Map.of("type", "object"), settings.responseSchema());
        assertEquals("web:1", read.session());
        assertTrue(read.stream() && read.withUsage() && read.isJson());
        assertFalse(completion("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"stream\":true}")
                .withUsage());
    }

    @Test
    @Tag("D5")
    void readsThePreviousResponseOrConversation() {
        // When
        var read = response("""
            {"model":"m","instructions":"Be brief.","input":"hi","previous_response_id":"%s","background":true,
             "reasoning":{"effort":"xhigh"},"text":{"format":{"type":"json_object"}},"max_output_tokens":5}\
            """.formatted(ID.text()));

        // Then
        assertEquals(ID, read.previous());
        assertEquals("Be brief.", read.transcript().instructions());
        assertEquals("high", read.settings().thinking());
        assertEquals(5, read.settings().maxTokens());
        assertTrue(read.background() && read.isJson() && !read.stream());
        assertEquals(
                "orders",
                response("{\"model\":\"m\",\"input\":\"x\",\"conversation\":{\"id\":\"orders\"}}")
                        .session());
        assertEquals(
                "orders",
                response("{\"model\":\"m\",\"input\":\"x\",\"conversation\":\"orders\"}")
                        .session());
    }

    private static final String REFERRING = """
        {"model":"m","input":[{"role":"system","content":"Be brief."},
         {"role":"user","content":[{"type":"input_text","text":"one"}]},
         {"type":"item_reference","id":"%s"},
         {"type":"reasoning","id":"rs_1","summary":[]},
         {"role":"user","content":[{"type":"input_text","text":"two"}]}]}\
        """;

    private static String output(String text) {
        return """
            {"type":"message","role":"assistant","content":[{"type":"output_text","text":"%s"}]}\
            """.formatted(text);
    }

    @Test
    @Tag("B91")
    void itemReferenceIsTheItemItself() {
        // When
        var read = response(REFERRING.formatted(ID.message(1)), Map.of(ID.message(1), output("ok")));

        // Then
        assertNull(read.previous());
        assertEquals(ID, read.referenced());
        assertEquals(
                List.of(question("one"), new Answer("ok", List.of())),
                read.transcript().history());
        assertEquals(List.of(question("two")), read.transcript().questions());
        assertEquals(
                "item_not_found",
                refused(REFERRING.formatted(ID.message(2)), true).code());
    }

    @Test
    @Tag("B91")
    void conversationIsTheSameOnlyWithTheSameMessages() {
        // Given
        String first = "{\"model\":\"m\",\"input\":\"one\"}";
        String before = ContextDigest.of(null, response(first).transcript().all());
        var stored = new StoredResponse(
                ID.id(),
                ID.id(),
                ID.id(),
                "s",
                ID.id(),
                1,
                0,
                ID.id(),
                null,
                null,
                null,
                "{}",
                "[]",
                before,
                "{\"output\":[" + output("ok") + "]}",
                "[]",
                Instant.EPOCH);
        var items = Map.of(ID.message(0), output("ok"), ID.message(1), output("no"));

        // Then
        assertEquals(ContextDigest.after(stored), history(REFERRING.formatted(ID.message(0)), items));
        assertNotEquals(ContextDigest.after(stored), history(REFERRING.formatted(ID.message(1)), items));
        assertNotEquals(
                ContextDigest.after(stored),
                history(REFERRING.formatted(ID.message(0)).replace("\"one\"", "\"edited\""), items));
    }

    private static String history(String json, Map<String, String> items) {
        return ContextDigest.of(null, response(json, items).transcript().history());
    }

    @Test
    @Tag("B90")
    void idsHaveAtMost64Characters() {
        // Then
        assertEquals("resp_e827da687b285a19be3d8cd7082daa0f", ID.text());
        assertEquals(ID, ResponseId.parse(ID.text()).orElseThrow());
        assertEquals(
                new ResponseId.Item(ID, false, 12),
                ResponseId.item(ID.message(12)).orElseThrow());
        assertEquals(
                new ResponseId.Item(ID, false, 1), ResponseId.item(ID.call(1)).orElseThrow());
        for (String type :
                List.of("message", "function_call", "function_call_output", "reasoning", "web_search_call")) {
            String id = ID.input(type, 99_999);
            assertTrue(id.length() <= 64, id);
            assertEquals(
                    new ResponseId.Item(ID, true, 99_999), ResponseId.item(id).orElseThrow());
        }
        for (String id : List.of(ID.text(), ID.message(99_999), ID.call(99_999), new ClientCallId(ID.id()).text())) {
            assertTrue(id.length() <= 64, id);
        }
        for (String none : List.of("", "resp_68af", "resp_" + "z".repeat(32), ID.text() + "0", "rs_1")) {
            assertTrue(ResponseId.parse(none).isEmpty(), none);
            assertTrue(ResponseId.item(none).isEmpty(), none);
        }
        assertEquals("c1", ClientCallId.shortId("c1"));
        assertEquals(CALL, ClientCallId.shortId(CALL));
        String foreign = ClientCallId.shortId("call_" + "x".repeat(100));
        assertEquals(CALL.length(), foreign.length());
        assertEquals(foreign, ClientCallId.shortId("call_" + "x".repeat(100)));
    }

    @Test
    @Tag("D10")
    void readsClientFunctionsAsCallersTools() {
        // When
        var completion = completion("""
            {"model":"m","messages":[{"role":"user","content":"x"}],"tool_choice":"auto","tools":[
             {"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"},"strict":true}},
             {"type":"function","function":{"name":"g"}}]}\
            """);
        var response = response("""
            {"model":"m","input":"x","tools":[
             {"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":true}]}\
            """);

        // Then
        assertEquals(
                List.of(new CallerToolJson("f", "d", Map.of("type", "object")), new CallerToolJson("g", null, null)),
                completion.tools());
        assertEquals(List.of(new CallerToolJson("f", "d", Map.of("type", "object"))), response.tools());
    }

    @ParameterizedTest
    @Tag("D10")
    @CsvSource(delimiter = '~', textBlock = """
        "auto" ~ "auto" ~
        "required" ~ "required" ~ required
        {"type":"function","function":{"name":"f"}} ~ {"type":"function","name":"f"} ~ tool:f
        """)
    void mapsToolChoiceToATurnSetting(String ofCompletion, String ofResponse, String setting) {
        String suffix = "\"tool_choice\":%s,\"parallel_tool_calls\":false}";
        var completion = completion("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],"
                + suffix.formatted(ofCompletion));
        var response = response("{\"model\":\"m\",\"input\":\"x\"," + suffix.formatted(ofResponse));

        for (SettingsJson settings : List.of(completion.settings(), response.settings())) {
            assertEquals(setting, settings.toolChoice());
            assertEquals(false, settings.parallelToolCalls());
        }
    }

    @Test
    @Tag("D10")
    void readsTrailingToolResultsWithoutANewMessage() {
        String two = CALL.substring(0, CALL.length() - 1) + "2";
        assertEquals(new UUID(1, 1), ClientCallId.parse(CALL).orElseThrow().call());
        assertTrue(ClientCallId.parse("call_1").isEmpty());

        var completion = completion("""
            {"model":"m","messages":[{"role":"user","content":"x"},
             {"role":"assistant","tool_calls":[{"id":"%1$s","function":{"name":"f","arguments":"{}"}}]},
             {"role":"tool","tool_call_id":"%1$s","content":"blue"}]}\
            """.formatted(CALL));
        assertTrue(completion.transcript().submitsResults());
        assertEquals(List.of(new Result(CALL, "blue")), completion.transcript().results());

        var response = response("""
            {"model":"m","previous_response_id":"%s","input":[
             {"type":"function_call_output","call_id":"%s","output":"blue"}]}\
            """.formatted(ID.text(), CALL));
        assertEquals(List.of(new Result(CALL, "blue")), response.transcript().results());

        var referenced = response("""
            {"model":"m","input":[{"role":"user","content":"x"},{"type":"item_reference","id":"%s"},
             {"type":"function_call_output","call_id":"%s","output":"blue"}]}\
            """.formatted(ID.call(0), CALL), Map.of(ID.call(0), """
                {"type":"function_call","call_id":"%s","name":"f","arguments":"{}"}\
                """.formatted(CALL)));
        assertEquals(ID, referenced.referenced());
        assertEquals(List.of(new Result(CALL, "blue")), referenced.transcript().results());

        Failure missing = refused("""
            {"model":"m","messages":[{"role":"user","content":"x"},
             {"role":"assistant","tool_calls":[{"id":"%1$s","function":{"name":"f"}},{"id":"%2$s","function":{"name":"f"}}]},
             {"role":"tool","tool_call_id":"%1$s","content":"blue"}]}\
            """.formatted(CALL, two), false);
        assertEquals("messages", missing.param());
    }

    @Test
    @Tag("B93")
    void lastMessageMayBeAnInstruction() {
        for (String role : List.of("system", "developer")) {
            var read = completion("""
                {"model":"m","messages":[{"role":"user","content":"x"},{"role":"assistant","content":"y"},
                 {"role":"%s","content":"Go on."}]}\
                """.formatted(role));
            ClientTranscript transcript = read.transcript();
            assertFalse(transcript.submitsResults());
            assertEquals(List.of(MessageParts.text("Go on.")), transcript.message(transcript.newInstructions()));
        }
    }

    @Test
    @Tag("B93")
    void functionsGetNamesThatTheAgentHasNot() {
        // Given
        var tools = List.of(new CallerToolJson("time", "d", null), new CallerToolJson("client__time", null, null));

        // Then: renamed or not, the client sees the names that it offered
        for (boolean isRenamed : List.of(true, false)) {
            assertEquals(
                    List.of("time", "client__time"),
                    FunctionTools.named(tools, isRenamed).stream()
                            .map(tool -> FunctionTools.offeredName(String.valueOf(tool.name())))
                            .toList());
        }
        assertEquals("client__time", FunctionTools.named(tools, true).getFirst().name());
        assertEquals("time", FunctionTools.named(tools, false).getFirst().name());
    }

    @ParameterizedTest
    @Tag("D6")
    @CsvSource(delimiter = '~', textBlock = """
        {"messages":[{"role":"user","content":"x"}]} ~ model ~ missing_required_parameter
        {"model":"m"} ~ messages ~ missing_required_parameter
        {"model":"m","messages":"x"} ~ messages ~ invalid_value
        {"model":"m","messages":[{"role":"poet","content":"x"}]} ~ messages[0].role ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":" "}]} ~ messages ~ invalid_value
        {"model":"m","messages":[{"role":"assistant","content":"x"}]} ~ messages ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":[{"type":"video"}]}]} ~ messages[0].content[0].type ~ unsupported_parameter
        {"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"http://127.0.0.1/x"}}]}]} ~ messages[0].content[0].image_url.url ~ unsupported_parameter
        {"model":"m","messages":[{"role":"user","content":"x"},{"role":"tool","tool_call_id":"c","content":"y"},{"role":"user","content":"z"}]} ~ messages ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f"}}]},{"role":"user","content":"z"}]} ~ messages ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f"}}]},{"role":"tool","tool_call_id":"c","content":"y"}]} ~ messages ~ unsupported_parameter
        {"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"type":"custom","custom":{"name":"f"}}]} ~ tools[0].type ~ unsupported_parameter
        {"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"description":"f"}}]} ~ tools[0].function.name ~ missing_required_parameter
        {"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"no spaces"}}]} ~ tools ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"array"}}}]} ~ tools ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"function":{"name":"f"}}],"tool_choice":"always"} ~ tool_choice ~ unsupported_parameter
        {"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"function":{"name":"f"}}],"tool_choice":{"type":"function","function":{}}} ~ tool_choice.function.name ~ missing_required_parameter
        {"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"function":{"name":"f"}}],"tool_choice":{"type":"allowed_tools"}} ~ tool_choice ~ unsupported_parameter
        {"model":"m","messages":[{"role":"user","content":"x"}],"functions":[{"name":"f"}]} ~ functions ~ unsupported_parameter
        {"model":"m","messages":[{"role":"user","content":"x"}],"n":2} ~ n ~ unsupported_parameter
        {"model":"m","messages":[{"role":"user","content":"x"}],"temperature":3} ~ temperature ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"}],"max_tokens":0} ~ max_tokens ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"}],"stop":["a","b","c","d","e"]} ~ stop ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"}],"stop":["a",""]} ~ stop ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"}],"verbosity":"loud"} ~ verbosity ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"}],"reasoning_effort":"huge"} ~ reasoning_effort ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[]}}} ~ tool_choice ~ unsupported_parameter
        {"model":"m","messages":[{"role":"user","content":"x"}],"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"nothing"}}}} ~ response_format.json_schema.schema ~ invalid_json_schema
        {"model":"m","messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"no base64!","format":"mp3"}}]}]} ~ messages[0].content[0].input_audio.data ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"}],"stream":"yes"} ~ stream ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"}],"metadata":{"a":1}} ~ metadata ~ invalid_value
        {"model":"m","messages":[{"role":"user","content":"x"}],"response_format":{"type":"json_schema"}} ~ response_format.json_schema.schema ~ missing_required_parameter
        """)
    void namesTheUnsupportedFieldOfACompletion(String json, String param, String code) {
        Failure failure = refused(json, false);

        assertEquals(400, failure.status());
        assertEquals(param, failure.param());
        assertEquals(code, failure.code());
        assertEquals("invalid_request_error", failure.type());
    }

    @ParameterizedTest
    @Tag("D6")
    @CsvSource(delimiter = '~', textBlock = """
        {"model":"m"} ~ input ~ missing_required_parameter
        {"model":"m","input":"x","previous_response_id":"resp_1"} ~ previous_response_id ~ previous_response_not_found
        {"model":"m","input":"x","tools":[{"type":"web_search"}]} ~ tools[0].type ~ unsupported_parameter
        {"model":"m","input":"x","prompt":{"id":"p"}} ~ prompt ~ unsupported_parameter
        {"model":"m","input":[{"type":"computer_call"}]} ~ input[0].type ~ unsupported_parameter
        {"model":"m","input":[{"type":"function_call_output","call_id":"c","output":"x"}]} ~ input ~ unsupported_parameter
        {"model":"m","input":[{"type":"item_reference","id":"msg_1"}]} ~ input[0].id ~ item_not_found
        {"model":"m","input":[{"id":"msg_1"}]} ~ input[0].id ~ item_not_found
        {"model":"m","input":[{"type":"function_call_output","call_id":"c","output":[{"type":"input_image","image_url":"data:image/png;base64,AA=="}]}]} ~ input[0].output[0].type ~ unsupported_parameter
        {"model":"m","input":[{"role":"assistant","content":[{"type":"input_file","file_data":"AA=="}]},{"role":"user","content":"x"}]} ~ input[0].content[0].type ~ unsupported_parameter
        {"model":"m","input":[{"role":"system","content":[{"type":"input_image","image_url":"data:image/png;base64,AA=="}]},{"role":"user","content":"x"}]} ~ input[0].content[0].type ~ unsupported_parameter
        """)
    void namesTheUnsupportedFieldOfAResponse(String json, String param, String code) {
        Failure failure = refused(json, true);

        assertEquals(param, failure.param());
        assertEquals(code, failure.code());
    }

    @Test
    @Tag("D6")
    void rejectsABodyThatIsNotAnObject() {
        assertEquals("invalid_value", refused("{", false).code());
        assertEquals("invalid_value", refused("[]", true).code());
        assertNull(refused("", true).param());
    }
}
