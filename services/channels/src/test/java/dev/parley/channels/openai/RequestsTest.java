package dev.parley.channels.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.openai.InputMessage.Answer;
import dev.parley.channels.openai.InputMessage.Call;
import dev.parley.channels.openai.InputMessage.Question;
import dev.parley.channels.openai.InputMessage.Result;
import dev.parley.channels.protocols.MessageParts;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.channels.web.CallerToolJson;
import dev.parley.channels.web.TurnRequest.Part;
import dev.parley.platform.http.SettingsJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parsing of requests in OpenAI's formats. */
class RequestsTest {
    private static final ResponseId ID = new ResponseId(
            "api:6a0073f4-97f6-5592-a9af-5e969680599d", UUID.fromString("e827da68-7b28-5a19-be3d-8cd7082daa0f"), 3, 0);

    private static CompletionRequest completion(String json) {
        return CompletionRequest.read(RequestFields.of(ProtocolJson.read(json.getBytes(StandardCharsets.UTF_8))));
    }

    private static ResponseRequest response(String json) {
        return ResponseRequest.read(ProtocolJson.read(json.getBytes(StandardCharsets.UTF_8)));
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
                 {"role":"user","content":"who am I?"}]}""");

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
                 {"type":"input_audio","input_audio":{"data":"UklG","format":"mp3"}}]}]}""");

        assertEquals(
                List.of(
                        MessageParts.text("what is this?"),
                        new Part("file", null, "iVBORw0=", "image.png", "image/png"),
                        new Part("file", null, "JVBE", "a.pdf", "application/pdf"),
                        new Part("file", null, "UklG", "audio.mp3", "audio/mpeg")),
                read.transcript().questions().getFirst().parts());
        var items = response("""
                {"model":"m","input":[{"role":"user","content":[
                 {"type":"input_image","image_url":"data:image/jpeg;base64,AAAA"}]}]}""");
        assertEquals(
                List.of(new Part("file", null, "AAAA", "image.jpeg", "image/jpeg")),
                items.transcript().questions().getFirst().parts());
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
                 "response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}}""");

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
                 "reasoning":{"effort":"xhigh"},"text":{"format":{"type":"json_object"}},"max_output_tokens":5}""".formatted(ID.text()));

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

    @Test
    @Tag("D5")
    void itemReferenceReplacesEarlierItems() {
        var read = response("""
                {"model":"m","input":[{"role":"system","content":"Be brief."},
                 {"role":"user","content":[{"type":"input_text","text":"one"}]},
                 {"type":"item_reference","id":"%s"},
                 {"type":"reasoning","id":"rs_1","summary":[]},
                 {"role":"user","content":[{"type":"input_text","text":"two"}]}]}""".formatted(ID.item(1)));

        assertEquals(ID, read.previous());
        assertEquals(List.of(), read.transcript().history());
        assertEquals(List.of(question("two")), read.transcript().questions());
    }

    @Test
    @Tag("D5")
    void responseIdEncodesSessionTurnAndPosition() {
        // Given
        var ofTelegram = new ResponseId("telegram:1:ü", ID.turn(), 0, 0);
        var later = new ResponseId(ID.session(), ID.turn(), 3, 2);

        // Then
        assertEquals("resp_e827da687b285a19be3d8cd7082daa0f_3_6a0073f497f65592a9af5e969680599d", ID.text());
        assertEquals(ID, ResponseId.parse(ID.text()).orElseThrow());
        assertEquals(ID, ResponseId.parse(ID.item(12)).orElseThrow());
        assertEquals(ofTelegram, ResponseId.parse(ofTelegram.text()).orElseThrow());
        assertEquals(later, ResponseId.parse(later.text()).orElseThrow());
        assertEquals(later, ResponseId.parse(later.item(1)).orElseThrow());
        assertEquals(later, ResponseId.parse(later.call(1)).orElseThrow());
        for (String none : List.of("", "resp_68af", "resp_" + "z".repeat(70), ID.text() + "0", "rs_1")) {
            assertTrue(ResponseId.parse(none).isEmpty(), none);
        }
    }

    @Test
    @Tag("D10")
    void readsClientFunctionsAsCallersTools() {
        // When
        var completion = completion("""
                {"model":"m","messages":[{"role":"user","content":"x"}],"tool_choice":"auto","tools":[
                 {"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"},"strict":true}},
                 {"type":"function","function":{"name":"g"}}]}""");
        var response = response("""
                {"model":"m","input":"x","tools":[
                 {"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":true}]}""");

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
        ClientCallId one = new ClientCallId(new UUID(1, 1), ID.turn(), 2, ID.session());
        ClientCallId two = new ClientCallId(new UUID(1, 2), ID.turn(), 2, "telegram:1:ü");
        assertEquals(one, ClientCallId.parse(one.text()).orElseThrow());
        assertEquals(two, ClientCallId.parse(two.text()).orElseThrow());
        assertTrue(ClientCallId.parse("call_1").isEmpty());
        assertEquals("call_00000000000000010000000000000001", ClientCallId.shortId(one.text()));
        assertEquals("c1", ClientCallId.shortId("c1"));

        var completion = completion("""
                {"model":"m","messages":[{"role":"user","content":"x"},
                 {"role":"assistant","tool_calls":[{"id":"%1$s","function":{"name":"f","arguments":"{}"}}]},
                 {"role":"tool","tool_call_id":"%1$s","content":"blue"}]}""".formatted(one.text()));
        assertEquals(List.of(), completion.transcript().questions());
        assertEquals(
                List.of(new Result(one.text(), "blue")), completion.transcript().results());

        var response = response("""
                {"model":"m","previous_response_id":"%s","input":[
                 {"type":"function_call_output","call_id":"%s","output":"blue"}]}""".formatted(ID.text(), one.text()));
        assertEquals(
                List.of(new Result(one.text(), "blue")), response.transcript().results());

        var referenced = response("""
                {"model":"m","input":[{"role":"user","content":"x"},{"type":"item_reference","id":"%s"},
                 {"type":"function_call_output","call_id":"%s","output":"blue"}]}""".formatted(ID.call(0), one.text()));
        assertEquals(ID, referenced.previous());
        assertEquals(
                List.of(new Result(one.text(), "blue")), referenced.transcript().results());

        Failure missing = refused("""
                {"model":"m","messages":[{"role":"user","content":"x"},
                 {"role":"assistant","tool_calls":[{"id":"%1$s","function":{"name":"f"}},{"id":"%2$s","function":{"name":"f"}}]},
                 {"role":"tool","tool_call_id":"%1$s","content":"blue"}]}""".formatted(one.text(), two.text()), false);
        assertEquals("messages", missing.param());
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
                    {"model":"m","messages":[{"role":"user","content":"x"}],"stop":["a\\nb"]} ~ stop ~ invalid_value
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
