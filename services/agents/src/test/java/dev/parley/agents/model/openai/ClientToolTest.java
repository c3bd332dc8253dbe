package dev.parley.agents.model.openai;

import static dev.parley.agents.model.openai.ResponsesStream.functionCall;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.Agents;
import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelRequests;
import dev.parley.agents.model.RecordedStream;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.FileContent.Image;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.platform.blob.BlobStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientToolTest {
    private static final String PNG = ClientTool.BLANK;
    private static final String THOUGHT =
            "{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"gAAA\"}";
    private static final String CLICK = """
            {"id":"cu_1","type":"computer_call","status":"completed","call_id":"c1","pending_safety_checks":[],\
            "action":{"type":"click","button":"left","x":1,"y":2,"n":1.0}}""";
    private static final String PENDING = """
            {"id":"cu_2","type":"computer_call","status":"completed","call_id":"c1","action":{"type":"click"},\
            "pending_safety_checks":[{"id":"s1","code":"c","message":"Is it you?"}]}""";
    private static final String SHELL = """
            {"id":"sh_1","type":"shell_call","status":"completed","call_id":"c1","caller":{"type":"direct"},\
            "action":{"commands":["ls"],"timeout_ms":null,"max_output_length":100}}""";

    @TempDir
    private Path folder;

    private final ModelRequests conversation =
            new ModelRequests().agent(agent("[{\"type\":\"computer\"},{\"type\":\"shell\"}]"));

    private static Agent agent(String hosted) {
        return Agents.of("openai", "gpt-5.4", null, null, ThinkingLevel.LOW, Map.of("hostedTools", hosted));
    }

    /** The model returns these items. */
    private ModelAnswer answer(String... items) throws Exception {
        var stream = new ResponsesStream();
        for (String item : items) {
            stream.item(item);
        }
        var reader =
                new ResponsesReader("openai", new Attachments(new BlobStore(folder, 1 << 20)), new RecordedStream());
        for (String event : stream.completed()) {
            reader.onEvent(event);
        }
        ModelAnswer answer = reader.answer("gpt-5.4");
        conversation.answered("openai", answer);
        return answer;
    }

    private VerbatimJson body() throws Exception {
        String body = ResponsesRequest.body(
                conversation.request(), "openai", new Attachments(new BlobStore(folder, 1 << 20)));
        StrictResponses.check(body);
        return VerbatimJson.parse(body);
    }

    private String input() throws Exception {
        return body().at("input").text();
    }

    @Test
    @Tag("P22")
    void returnsAComputerCallWithItsScreenshot() throws Exception {
        // Given
        conversation.user("click");

        // When
        conversation.results(answer(THOUGHT, CLICK).blocks(), PNG);

        // Then
        String output = "{\"type\":\"computer_call_output\",\"call_id\":\"c1\",\"output\":"
                + "{\"type\":\"computer_screenshot\",\"image_url\":\"" + PNG + "\"}}";
        assertTrue(input().endsWith(THOUGHT + "," + CLICK + "," + output + "]"), input());
    }

    @Test
    @Tag("P22")
    void acknowledgesApprovedSafetyChecks() throws Exception {
        // Given
        conversation.user("buy it");

        String call = PENDING.replace("\"click\"}", "\"click\",\"button\":\"left\",\"x\":1,\"y\":2}");

        // When
        answer(THOUGHT, call);
        conversation.message(Message.toolResult("c1", PNG, false));

        // Then
        String output = "{\"type\":\"computer_call_output\",\"call_id\":\"c1\",\"output\":"
                + "{\"type\":\"computer_screenshot\",\"image_url\":\"" + PNG + "\"},"
                + "\"acknowledged_safety_checks\":[{\"id\":\"s1\",\"code\":\"c\",\"message\":\"Is it you?\"}]}";
        assertTrue(input().endsWith(call + "," + output + "]"), input());
    }

    @Test
    @Tag("P22")
    void returnsADeniedComputerCallAsAFunctionCall() throws Exception {
        // Given
        conversation.user("buy it");

        // When
        answer(THOUGHT, PENDING);
        conversation.message(Message.toolResult("c1", "error: a person said no to this", true));

        // Then
        assertTrue(
                input().endsWith("{\"type\":\"function_call\",\"call_id\":\"c1\",\"name\":\"computer\",\"arguments\":"
                        + "\"{\\\"action\\\":{\\\"type\\\":\\\"click\\\"},\\\"pending_safety_checks\\\":[{\\\"id\\\":\\\"s1\\\","
                        + "\\\"code\\\":\\\"c\\\",\\\"message\\\":\\\"Is it you?\\\"}]}\"},"
                        + "{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":"
                        + "\"error: a person said no to this\"}]"),
                input());
        assertFalse(input().contains("rs_1"), "reasoning must be followed by its own item");
    }

    @Test
    @Tag("P22")
    void sendsABlankScreenshotAndTheErrorAfterAllResults() throws Exception {
        // Given
        conversation.user("click");

        // When
        answer(CLICK, functionCall("c2", "search", "{}"));
        conversation
                .message(Message.toolResult("c1", "error: no display", true))
                .message(Message.toolResult("c2", "found", false));

        // Then
        List<VerbatimJson> items = body().at("input").items();
        assertEquals(ClientTool.BLANK, items.get(3).at("output", "image_url").string());
        assertEquals("found", items.get(4).at("output").string());
        assertEquals(
                "[the computer's call c1 has no picture: error: no display]",
                items.get(5).at("content").items().getFirst().at("text").string());
        assertTrue(Image.of(ClientTool.BLANK).isPresent());
    }

    @ParameterizedTest
    @Tag("P22")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'image_url':'PNG','file_id':null}|{'type':'computer_screenshot','image_url':'PNG'}",
                "{'type':'x','image_url':'https://a/b.png','more':1}|{'type':'computer_screenshot','image_url':'https://a/b.png'}",
                "{'image_url':null,'file_id':'file-1'}|{'type':'computer_screenshot','file_id':'file-1'}",
                "{'image_url':'ftp://a'}|{'type':'computer_screenshot','image_url':'PNG'}",
                "data:image/png;base64,AAAA|{'type':'computer_screenshot','image_url':'PNG'}",
            })
    void acceptsValidScreenshotsOnly(String result, String output) throws Exception {
        conversation.user("click").results(answer(CLICK).blocks(), json(result));

        assertTrue(input().contains("\"output\":" + json(output)), input());
    }

    private static String json(String text) {
        return text.replace('\'', '"').replace("PNG", PNG);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a.txt|false|[{'stdout':'a.txt','stderr':'','outcome':{'type':'exit','exit_code':0}}]",
                "error: no|true|[{'stdout':'error: no','stderr':'','outcome':{'type':'exit','exit_code':1}}]",
                "[1]|false|[{'stdout':'[1]','stderr':'','outcome':{'type':'exit','exit_code':0}}]",
                "[ {'more':1,'stderr':'x','stdout':'\\u00e9','outcome':{'exit_code':-1,'type':'exit'}},{'stdout':'','stderr':'','outcome':{'type':'timeout','more':1}}]|false"
                        + "|[{'stdout':'\\u00e9','stderr':'x','outcome':{'type':'exit','exit_code':-1}},{'stdout':'','stderr':'','outcome':{'type':'timeout'}}]",
            })
    void writesShellOutputInTheFormOfTheApi(String result, boolean error, String output) throws Exception {
        conversation.user("ls");
        answer(SHELL);
        conversation.message(Message.toolResult("c1", json(result), error));

        assertTrue(
                input().endsWith(SHELL
                        + ",{\"type\":\"shell_call_output\",\"call_id\":\"c1\",\"caller\":{\"type\":\"direct\"},"
                        + "\"output\":" + json(output) + ",\"max_output_length\":100}]"),
                input());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "apply_patch_call|false|'status':'completed','output':'done'",
                "apply_patch_call|true|'status':'failed','output':'done'",
                "local_shell_call|false|'id':'c1','output':'done'",
            })
    void writesPatchAndLocalShellOutputInTheirForms(String type, boolean error, String members) throws Exception {
        // Given
        conversation.user("go");
        String asks = type.startsWith("apply")
                ? "'operation':{'type':'delete_file','path':'a'}"
                : "'action':{'type':'exec','command':['ls'],'env':{}}";
        answer("{\"id\":\"i\",\"type\":\"%s\",\"status\":\"completed\",\"call_id\":\"c1\",%s}"
                .formatted(type, json(asks)));
        conversation.message(Message.toolResult("c1", "done", error));

        // Then
        assertTrue(
                input().endsWith("{\"type\":\"%s_output\",\"call_id\":\"c1\",%s}]".formatted(type, json(members))),
                input());
    }

    @Test
    @Tag("P27")
    void anotherModelGetsTheScreenshotOfAFunctionCall() throws Exception {
        // Given
        conversation.user("click").results(answer(CLICK).blocks(), PNG).user("and?");

        // When
        conversation.agent(Agents.of("openai", "gpt-6", null, null, ThinkingLevel.LOW, Map.of()));

        // Then
        assertTrue(
                input().contains("{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":"
                        + "[{\"type\":\"input_image\",\"detail\":\"auto\",\"image_url\":\"" + PNG + "\"}]}"),
                input());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"type\":\"computer\"}]",
                "{\"type\":\"computer_use_preview\",\"environment\":\"browser\",\"display_width\":1,\"display_height\":1}"
            })
    void declaresAHostedToolOnce(String hosted) throws Exception {
        conversation.agent(agent(hosted)).tools("computer", "search").user("go");

        assertEquals(
                List.of("function", VerbatimJson.parse(hosted).at("type").string("computer")),
                body().at("tools").items().stream()
                        .map(tool -> tool.at("type").string())
                        .toList());
    }

    @Test
    void rejectsAHostedToolWithoutTheAgentsTool() {
        // Given
        var agent = new Agent(
                null,
                "clerk",
                "",
                "",
                AgentMode.ALL,
                false,
                "openai",
                "gpt-5.4",
                null,
                "",
                List.of("search"),
                List.of(),
                null,
                null,
                null,
                ThinkingLevel.NONE,
                Agent.Limits.DEFAULT,
                Map.of("hostedTools", "[{\"type\":\"web_search\"},{\"type\":\"computer_use_preview\"}]"),
                List.of());

        // Then
        assertEquals(
                "hostedTools has 'computer_use_preview', which needs a tool 'computer' of the agent's own to carry it out",
                assertThrows(IllegalArgumentException.class, () -> OpenAiProvider.check(agent))
                        .getMessage());
        OpenAiProvider.check(agent("[{\"type\":\"computer\"}]"));
    }
}
